package dev.baton.build;

import static dev.baton.build.Bench.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.protocol.Holder;
import dev.baton.protocol.build.Access;
import org.junit.jupiter.api.Test;

/** B3, B8, F1, L12: what a fence refuses, in which order, and until when. */
class FenceTest {
    private static final Holder A = run("A");
    private static final Holder B = run("B");
    private static final Holder C = run("C");

    private final Outcome a = new Outcome();
    private final Outcome b = new Outcome();
    private final Outcome c = new Outcome();

    private static Fence.Builder out(Fence.Builder to, Holder run, long dispatch, long start, long end, Outcome o) {
        return to.entry(run, dispatch, 1, start, end, true, true, o);
    }

    private static Fence.Builder inout(Fence.Builder to, Holder run, long dispatch, long start, long end, Outcome o) {
        return to.entry(run, dispatch, 1, start, end, true, false, o);
    }

    private static Fence.Builder in(Fence.Builder to, Holder run, long dispatch, long start, long end, Outcome o) {
        return to.entry(run, dispatch, 1, start, end, false, false, o);
    }

    @Test
    void nothingStandsInTheWayOfOtherAllocations() {
        Fence f = out(Fence.builder(), A, 1, 0, 16, a).build();
        assertThat(f.read(2, 0, 16)).isNull();
        assertThat(f.write(2, 0, 16)).isNull();
        assertThat(Fence.EMPTY.read(1, 0, 16)).isNull();
        assertThat(Fence.builder().build()).isSameAs(Fence.EMPTY);
    }

    @Test
    void bytesBesideAnEntryAreFree() {
        Fence f = out(Fence.builder(), A, 1, 8, 16, a).build();
        assertThat(f.read(1, 0, 8)).isNull();
        assertThat(f.read(1, 16, 8)).isNull();
        assertThat(f.read(1, 7, 2)).isEqualTo(new Access.NotProducedYet(A));
        assertThat(f.read(1, 15, 1)).isEqualTo(new Access.NotProducedYet(A));
        assertThat(f.write(1, 0, 8)).isNull();
        assertThat(f.write(1, 16, 8)).isNull();
    }

    @Test
    void noBytesAreAlwaysFree() {
        Fence f = out(Fence.builder(), A, 1, 0, 16, a)
                .unreadable(1, 0, 16, B, "lost")
                .entry(C, 3, 1, 4, 4, true, true, c)
                .build();
        assertThat(f.read(1, 8, 0)).isNull();
        assertThat(f.write(1, 8, 0)).isNull();
    }

    @Test
    void aReadNamesTheLastProducer() {
        Fence f = inout(inout(Fence.builder(), B, 2, 0, 8, b), A, 1, 0, 16, a).build();
        assertThat(f.read(1, 0, 4)).isEqualTo(new Access.NotProducedYet(B));
        assertThat(f.read(1, 8, 4)).isEqualTo(new Access.NotProducedYet(A));
        // across an edge too
        assertThat(f.read(1, 4, 8)).isEqualTo(new Access.NotProducedYet(B));
        b.produced();
        assertThat(f.read(1, 0, 4)).isEqualTo(new Access.NotProducedYet(A));
        a.produced();
        assertThat(f.read(1, 0, 16)).isNull();
    }

    @Test
    void aProducerThatHasRetiredMeanwhileNoLongerRefuses() {
        Fence f = out(Fence.builder(), A, 1, 0, 16, a).build();
        assertThat(f.read(1, 0, 4)).isEqualTo(new Access.NotProducedYet(A));
        a.produced();
        assertThat(f.read(1, 0, 4)).isNull();
        assertThat(f.write(1, 0, 4)).isNull();
    }

    @Test
    void readersDoNotRefuseReadsButWrites() {
        Fence f = in(Fence.builder(), A, 1, 0, 16, a).build();
        assertThat(f.read(1, 0, 16)).isNull();
        assertThat(f.write(1, 0, 4)).isEqualTo(new Access.NotProducedYet(A));
        a.failed(A, "no matter: it wrote nothing");
        assertThat(f.read(1, 0, 16)).isNull();
        assertThat(f.write(1, 0, 4)).isNull();
    }

    @Test
    void aWriteNamesTheLastThatNamesTheBytes() {
        Fence f = in(out(Fence.builder(), A, 1, 0, 16, a), B, 2, 4, 8, b).build();
        assertThat(f.write(1, 4, 4)).isEqualTo(new Access.NotProducedYet(B));
        assertThat(f.write(1, 0, 4)).isEqualTo(new Access.NotProducedYet(A));
        assertThat(f.read(1, 4, 4)).isEqualTo(new Access.NotProducedYet(A));
    }

    @Test
    void aFailedProducerMakesItsBytesVoid() {
        Fence f = out(Fence.builder(), A, 1, 0, 8, a).build();
        a.failed(A, "boom");
        assertThat(f.read(1, 4, 4)).isEqualTo(new Access.Failed(A, "boom"));
        assertThat(f.read(1, 4, 8)).isEqualTo(new Access.Failed(A, "boom"));
        assertThat(f.read(1, 8, 4)).isNull();
        assertThat(f.write(1, 4, 4)).isNull();
    }

    @Test
    void theLatestFailureIsNamed() {
        Fence f = inout(out(Fence.builder(), A, 1, 0, 16, a), B, 2, 0, 8, b)
                .voided(1, 0, 16, C, "old", Long.MIN_VALUE)
                .build();
        a.failed(A, "first");
        b.failed(B, "second");
        assertThat(f.read(1, 0, 4)).isEqualTo(new Access.Failed(B, "second"));
        assertThat(f.read(1, 8, 4)).isEqualTo(new Access.Failed(A, "first"));
        assertThat(f.read(1, 4, 8)).isEqualTo(new Access.Failed(B, "second"));
    }

    @Test
    void healingIsByBytesAndOnlyOfOlderVoids() {
        Fence f = out(out(Fence.builder(), B, 2, 0, 8, b), C, 3, 4, 6, c)
                .voided(1, 0, 16, A, "boom", 1)
                .build();
        b.produced();
        c.failed(C, "later");
        assertThat(f.read(1, 0, 4)).isNull();
        assertThat(f.read(1, 4, 1)).isEqualTo(new Access.Failed(C, "later"));
        assertThat(f.read(1, 6, 2)).isNull();
        assertThat(f.read(1, 8, 1)).isEqualTo(new Access.Failed(A, "boom"));
        assertThat(f.read(1, 0, 16)).isEqualTo(new Access.Failed(C, "later"));
    }

    @Test
    void bytesAreHealedByNeighboursTogether() {
        Fence f = out(out(Fence.builder(), B, 2, 0, 8, b), C, 3, 8, 16, c)
                .voided(1, 4, 12, A, "boom", 1)
                .build();
        b.produced();
        c.produced();
        assertThat(f.read(1, 0, 16)).isNull();
    }

    @Test
    void onlyOverwritingHeals() {
        Fence f = inout(Fence.builder(), B, 2, 0, 8, b)
                .voided(1, 0, 8, A, "boom", 1)
                .build();
        b.produced();
        assertThat(f.read(1, 0, 8)).isEqualTo(new Access.Failed(A, "boom"));
    }

    @Test
    void anUnprovenProducerLeavesUnreadableBytes() {
        Fence f = out(Fence.builder(), A, 1, 0, 8, a).build();
        a.unproven(A, "lost");
        assertThat(f.read(1, 0, 4)).isEqualTo(new Access.Unproven(A, "lost"));
        assertThat(f.write(1, 0, 4)).isEqualTo(new Access.Unproven(A, "lost"));
    }

    @Test
    void bytesThatAnUnprovenReaderMayStillReachAreNotWritten() {
        Fence f = in(Fence.builder(), A, 1, 0, 8, a).build();
        a.unproven(A, "lost");
        assertThat(f.read(1, 0, 4)).isNull();
        assertThat(f.write(1, 0, 4)).isEqualTo(new Access.Unproven(A, "lost"));
    }

    @Test
    void marksOfTheSnapshotRefuseBoth() {
        Fence f = Fence.builder().unreadable(1, 4, 8, A, "lost").build();
        assertThat(f.read(1, 0, 8)).isEqualTo(new Access.Unproven(A, "lost"));
        assertThat(f.write(1, 4, 1)).isEqualTo(new Access.Unproven(A, "lost"));
        assertThat(f.read(1, 0, 4)).isNull();
    }

    @Test
    void unreadableGoesBeforeNotProducedBeforeVoid() {
        Fence f = out(Fence.builder(), B, 2, 0, 12, b)
                .voided(1, 0, 16, A, "boom", 1)
                .unreadable(1, 0, 4, C, "lost")
                .build();
        assertThat(f.read(1, 0, 16)).isEqualTo(new Access.Unproven(C, "lost"));
        assertThat(f.read(1, 4, 12)).isEqualTo(new Access.NotProducedYet(B));
        assertThat(f.read(1, 12, 4)).isEqualTo(new Access.Failed(A, "boom"));
        b.unproven(B, "lost too");
        assertThat(f.read(1, 4, 12)).isEqualTo(new Access.Unproven(B, "lost too"));
    }

    @Test
    void aSnapshotThatContradictsItselfIsOurOwnBug() {
        assertThatThrownBy(() -> Fence.builder().entry(A, 1, 1, 0, 4, false, true, a))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Fence.builder().unreadable(1, 8, 4, A, "lost"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aWindowEndsWhereTheVerdictMayChange() {
        FencedBytes f = java.util.Objects.requireNonNull(out(out(Fence.builder(), A, 1, 8, 16, a), B, 2, 12, 24, b)
                .build()
                .of(1));
        assertThat(f.window(0)).isEqualTo(new FencedBytes.Window(0, 8));
        assertThat(f.window(8)).isEqualTo(new FencedBytes.Window(8, 12));
        assertThat(f.window(15)).isEqualTo(new FencedBytes.Window(12, 16));
        assertThat(f.window(24)).isEqualTo(new FencedBytes.Window(24, Long.MAX_VALUE));
        assertThat(f.window(0).holds(4, 4)).isTrue();
        assertThat(f.window(0).holds(5, 4)).isFalse();
        assertThat(f.window(8).holds(7, 4)).isFalse();
        assertThat(FencedBytes.Window.NONE.holds(0, 1)).isFalse();
    }
}

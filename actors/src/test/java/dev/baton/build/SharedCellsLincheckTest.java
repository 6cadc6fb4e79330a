package dev.baton.build;

import dev.baton.build.BuildLatch.Cause;
import dev.baton.protocol.Holder;
import dev.baton.protocol.build.Access;
import org.jetbrains.kotlinx.lincheck.LinChecker;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Lincheck on what threads share (B4, B8, B10): every interleaving that it tries must look as if the operations had happened one
 * after the other, each at one moment of its own. The class itself, used by one thread, says what is right.
 */
class SharedCellsLincheckTest {
    /** All interleavings of a few switches, in many small programs. */
    private static ModelCheckingOptions interleavings(int programs, int invocations) {
        return new ModelCheckingOptions()
                .iterations(programs)
                .invocationsPerIteration(invocations)
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(1)
                .actorsAfter(1);
    }

    @ParameterizedTest
    @ValueSource(classes = {Latch.class, Cell.class})
    void aCellIsWrittenOnceAndNeverWaits(Class<?> operations) {
        LinChecker.check(operations, interleavings(20, 200).checkObstructionFreedom(true));
    }

    @Test
    void aSnapshotAnswersAsOfOneMoment() {
        LinChecker.check(Snapshot.class, interleavings(8, 60).checkObstructionFreedom(true));
    }

    /** Its pages lie in a concurrent map, which is not obstruction-free by itself. */
    @Test
    void anOverlayIsWrittenElementByElement() {
        LinChecker.check(Words.class, interleavings(10, 100));
    }

    /** The same on real threads, which run more and reorder. */
    @ParameterizedTest
    @ValueSource(classes = {Latch.class, Cell.class, Snapshot.class, Words.class})
    void underStressToo(Class<?> operations) {
        LinChecker.check(
                operations,
                new StressOptions()
                        .iterations(20)
                        .invocationsPerIteration(1000)
                        .threads(3)
                        .actorsPerThread(2)
                        .actorsBefore(1)
                        .actorsAfter(1));
    }

    /** B4: one compare-and-set. */
    public static class Latch {
        private final BuildLatch latch = new BuildLatch();

        @Operation
        public boolean latch(@Param(gen = IntGen.class, conf = "0:3") int cause) {
            return latch.latch(new Cause.Own("cause " + cause, null));
        }

        @Operation
        public String cause() {
            return latch.cause() instanceof Cause.Own own ? own.message() : "none";
        }
    }

    /** B8: a write-once outcome. */
    public static class Cell {
        private final Outcome outcome = new Outcome();

        @Operation
        public boolean produced() {
            return outcome.produced();
        }

        @Operation
        public boolean failed() {
            return outcome.failed(holder(1), "why");
        }

        @Operation
        public boolean unproven() {
            return outcome.unproven(holder(1), "lost");
        }

        @Operation
        public boolean isPending() {
            return outcome.isPending();
        }

        @Operation
        public String state() {
            return outcome.state().getClass().getSimpleName();
        }
    }

    /** B8: a snapshot of three runs over some bytes, whose outcomes arrive while builds read and write. */
    public static class Snapshot {
        private final Outcome[] outcomes = {new Outcome(), new Outcome(), new Outcome()};
        private final Fence fence = Fence.builder()
                .entry(holder(0), 1, 1, 0, 8, true, true, outcomes[0])
                .entry(holder(1), 2, 1, 4, 12, true, false, outcomes[1])
                .entry(holder(2), 3, 1, 6, 10, true, true, outcomes[2])
                .build();

        @Operation
        public boolean produced(@Param(gen = IntGen.class, conf = "0:2") int run) {
            return outcomes[run].produced();
        }

        @Operation
        public boolean failed(@Param(gen = IntGen.class, conf = "0:2") int run) {
            return outcomes[run].failed(holder(run), "why");
        }

        @Operation
        public boolean unproven(@Param(gen = IntGen.class, conf = "0:2") int run) {
            return outcomes[run].unproven(holder(run), "lost");
        }

        @Operation
        public String read(
                @Param(gen = IntGen.class, conf = "0:11") int start,
                @Param(gen = IntGen.class, conf = "1:8") int bytes) {
            return told(fence.read(1, start, bytes));
        }

        @Operation
        public String write(
                @Param(gen = IntGen.class, conf = "0:11") int start,
                @Param(gen = IntGen.class, conf = "1:8") int bytes) {
            return told(fence.write(1, start, bytes));
        }

        private static String told(@Nullable Access answer) {
            if (answer instanceof Access.NotProducedYet n) {
                return "pending " + n.by().number();
            } else if (answer instanceof Access.Failed f) {
                return "void " + f.by().number();
            }
            return answer instanceof Access.Unproven u ? "unproven " + u.by().number() : "free";
        }
    }

    /** B10: threads write and read aligned elements that share words. */
    public static class Words {
        private final Overlay overlay = new Overlay();

        @Operation
        public void put4(
                @Param(gen = IntGen.class, conf = "0:2") int element,
                @Param(gen = IntGen.class, conf = "1:3") int value) {
            overlay.put(4L * element, value * 0x0101_0101L, 4);
        }

        @Operation
        public void put8(@Param(gen = IntGen.class, conf = "4:6") int value) {
            overlay.put(0, value * 0x0101_0101_0101_0101L, 8);
        }

        @Operation
        public long read4(@Param(gen = IntGen.class, conf = "0:2") int element) {
            return overlay.unused() ? -1 : overlay.over(4L * element, -1, 4);
        }

        @Operation
        public long read8() {
            return overlay.unused() ? -1 : overlay.over(0, -1, 8);
        }
    }

    private static Holder holder(int run) {
        return new Holder(Holder.Kind.RUN, run, "r" + run);
    }
}

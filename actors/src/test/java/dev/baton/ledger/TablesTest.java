package dev.baton.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.DataType;
import dev.baton.protocol.Holder;
import dev.baton.protocol.RawAddress;
import dev.baton.protocol.RefusalCode;
import dev.baton.protocol.Tensor;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tables against simple models, and at the edges of the address space. */
class TablesTest {
    private static final int SIZE = 64;

    private static AllocationTable.Resolution raw(AllocationTable t, long address, long offset, long... shape) {
        return t.resolve(Tensor.of(new RawAddress(address), offset, DataType.U8, shape));
    }

    @Test
    void spansAtTheTopOfTheAddressSpaceNeitherWrapNorOverflow() {
        AllocationTable t = new AllocationTable("dev", 1);
        Allocation top = java.util.Objects.requireNonNull(t.add("top", -64, 64));
        assertThat(raw(t, -64, 0, 64)).isEqualTo(new AllocationTable.Resolution.Inside(top, 0, 64));
        assertThat(raw(t, -1, 0, 1)).isEqualTo(new AllocationTable.Resolution.Inside(top, 63, 64));
        assertThat(raw(t, -1, 0, 2)).isInstanceOf(AllocationTable.Resolution.Bad.class);
        assertThat(raw(t, -8, 16, 1)).isInstanceOf(AllocationTable.Resolution.Bad.class);
        assertThat(raw(t, -65, 0, 2)).isInstanceOf(AllocationTable.Resolution.Bad.class);
        assertThat(raw(t, -66, 0, 2)).isInstanceOf(AllocationTable.Resolution.Foreign.class);
        assertThat(raw(t, -64, 0, Long.MAX_VALUE)).isInstanceOf(AllocationTable.Resolution.Bad.class);
        assertThat(raw(t, -64, Long.MAX_VALUE, 1)).isInstanceOf(AllocationTable.Resolution.Bad.class);
        assertThat(raw(t, -64, 0, 0)).isInstanceOf(AllocationTable.Resolution.Empty.class);
        assertThat(t.add("again", -1, 1)).isNull();
        assertThat(t.add("wraps", -1, 2)).isNull();
    }

    @Test
    void aHandleNeverLeavesItsBuffer() {
        AllocationTable t = new AllocationTable("dev", 1);
        BufferHandle h =
                java.util.Objects.requireNonNull(t.add("a", 0x1000, 16)).handle();
        assertThat(t.resolve(new Tensor(h, 12, DataType.F32, List.of(2L), List.of(-3L))))
                .isInstanceOf(AllocationTable.Resolution.Inside.class);
        assertThat(t.resolve(new Tensor(h, 8, DataType.F32, List.of(2L), List.of(-3L))))
                .isInstanceOf(AllocationTable.Resolution.Bad.class);
        assertThat(t.resolve(Tensor.of(h, 16, DataType.F32, 0))).isInstanceOf(AllocationTable.Resolution.Empty.class);
        assertThat(t.resolve(Tensor.of(h, 17, DataType.F32, 0))).isInstanceOf(AllocationTable.Resolution.Bad.class);
        assertThat(t.resolve(Tensor.of(h, Long.MAX_VALUE, DataType.F32, 1)))
                .isInstanceOf(AllocationTable.Resolution.Bad.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void resolvingByAddressAgreesWithAScanOfAllEntries(long seed) {
        Random random = new Random(seed);
        AllocationTable t = new AllocationTable("dev", 1);
        TreeMap<Long, Long> model = new TreeMap<>();
        for (int step = 0; step < 1_000; step++) {
            long address = 1 + random.nextInt(4_000);
            long bytes = 1 + random.nextInt(60);
            boolean free = model.entrySet().stream()
                    .noneMatch(e -> e.getKey() < address + bytes && address < e.getKey() + e.getValue());
            assertThat(t.add("a", address, bytes) != null)
                    .as("seed %d step %d", seed, step)
                    .isEqualTo(free);
            if (free) {
                model.put(address, bytes);
            }
            long at = random.nextInt(4_100);
            long length = 1 + random.nextInt(20);
            String expected = "Foreign";
            for (var e : model.entrySet()) {
                if (e.getKey() < at + length && at < e.getKey() + e.getValue()) {
                    boolean inside = e.getKey() <= at && at + length <= e.getKey() + e.getValue();
                    expected = inside && expected.equals("Foreign") ? "Inside" : "Bad";
                }
            }
            assertThat(raw(t, at, 0, length).getClass().getSimpleName())
                    .as("seed %d step %d", seed, step)
                    .isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void voidIntervalsAgreeWithAModelOfBytes(long seed) {
        Random random = new Random(seed);
        VoidMap map = new VoidMap();
        List<java.util.Set<Long>> model = new java.util.ArrayList<>();
        for (int i = 0; i < SIZE; i++) {
            model.add(new java.util.TreeSet<>());
        }
        for (int step = 0; step < 400; step++) {
            int start = random.nextInt(SIZE);
            int end = start + 1 + random.nextInt(SIZE - start);
            long dispatch = random.nextInt(12);
            boolean heal = random.nextInt(3) == 0;
            if (heal) {
                map.heal(start, end, dispatch);
            } else {
                Holder by = new Holder(Holder.Kind.RUN, dispatch, "r" + dispatch);
                map.add(start, end, new Cause(by, dispatch, true, "why"));
            }
            for (int i = start; i < end; i++) {
                if (heal) {
                    model.get(i).removeIf(d -> d < dispatch);
                } else {
                    model.get(i).add(dispatch);
                }
            }
            long last = -1;
            for (VoidMap.Interval i : map.intervals()) {
                assertThat(i.start())
                        .as("disjoint and ascending, seed %d", seed)
                        .isGreaterThanOrEqualTo(last);
                last = i.end();
            }
            for (int i = 0; i < SIZE; i++) {
                VoidMap.Interval at = map.firstOverlap(i, i + 1);
                List<Long> got = at == null
                        ? List.of()
                        : at.causes().stream().map(Cause::dispatch).toList();
                assertThat(got).as("seed %d step %d byte %d", seed, step, i).containsExactlyElementsOf(model.get(i));
            }
        }
    }

    @Test
    void compactionKeepsWhatALiveOrFutureRunCanTell() {
        VoidMap map = new VoidMap();
        for (long dispatch : new long[] {1, 2, 5}) {
            map.add(0, 8, new Cause(new Holder(Holder.Kind.RUN, dispatch, "r"), dispatch, false, "why"));
        }
        map.compact((above, below) -> above == 2);
        assertThat(map.intervals().get(0).causes()).extracting(Cause::dispatch).containsExactly(2L, 5L);
    }

    @Test
    void marksKeepTheirFirstCause() {
        MarkMap marks = new MarkMap();
        Cause first = new Cause(new Holder(Holder.Kind.RUN, 1, "a"), 1, true, "first");
        Cause second = new Cause(new Holder(Holder.Kind.RUN, 2, "b"), 2, true, "second");
        marks.add(4, 8, first);
        marks.add(0, 12, second);
        assertThat(marks.firstOverlap(5, 6)).isEqualTo(first);
        assertThat(marks.firstOverlap(0, 1)).isEqualTo(second);
        assertThat(marks.firstOverlap(8, 9)).isEqualTo(second);
        assertThat(marks.firstOverlap(12, 13)).isNull();
    }

    @Test
    void dispatchIdsOfRunsThatBeganOrEndedAreNotGivenAgain() {
        Desk d = new Desk();
        BufferHandle x = d.allocate("x");
        BufferHandle y = d.allocate("y");
        long a = d.submit(Desk.copyRequest("A", x, y).dispatch(10));
        long b = d.submit(Desk.copyRequest("B", x, y).dispatch(20));
        assertThat(d.port.code(d.submit(Desk.copyRequest("C", x, y).dispatch(20))))
                .isEqualTo("DUPLICATE_DISPATCH");
        d.fail(b, dev.baton.protocol.FailureReason.ABANDONED, false);
        assertThat(d.port.code(d.submit(Desk.copyRequest("C", x, y).dispatch(20))))
                .isEqualTo("DISPATCH_ORDER");
        assertThat(d.port.code(d.submit(Desk.copyRequest("C", x, y).dispatch(15))))
                .isEqualTo("Accepted");
        d.ledger.begin(d.run(a), 1, false, 99);
        assertThat(d.port.code(d.submit(Desk.copyRequest("E", x, y).dispatch(9))))
                .isEqualTo("DISPATCH_ORDER");
        long auto = d.copy("F", x, y);
        assertThat(((dev.baton.protocol.RunReply.Accepted) d.port.last(auto)).dispatch())
                .isEqualTo(21);
        assertThat(RefusalCode.DISPATCH_ORDER).isNotNull();
    }
}

package dev.baton.build;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.protocol.Holder;
import dev.baton.protocol.build.Access;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A fence against a model that looks at every byte by itself, while outcomes arrive one after the other. */
class FenceRandomTest {
    private static final int BYTES = 24;

    private record Span(
            Holder run, long dispatch, int start, int end, boolean declares, boolean overwrites, Outcome o) {
        boolean covers(int at) {
            return start <= at && at < end;
        }
    }

    private record Lost(int start, int end, Holder by) {}

    static LongStream seeds() {
        return Seeds.first(300);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void answersLikeTheModel(long seed) {
        Random random = new Random(seed);
        List<Span> spans = new ArrayList<>();
        List<Lost> lost = new ArrayList<>();
        List<Outcome> outcomes = new ArrayList<>();
        List<Holder> holders = new ArrayList<>();
        int runs = 1 + random.nextInt(5);
        for (int r = 0; r < runs; r++) {
            Holder run = new Holder(Holder.Kind.RUN, r, "r" + r);
            Outcome o = new Outcome();
            outcomes.add(o);
            holders.add(run);
            for (int k = 1 + random.nextInt(3); k > 0; k--) {
                int start = random.nextInt(BYTES);
                int role = random.nextInt(3);
                spans.add(
                        new Span(run, 10 + r, start, start + random.nextInt(BYTES - start + 1), role > 0, role > 1, o));
            }
        }
        for (int k = random.nextInt(3); k > 0; k--) {
            Outcome o = new Outcome();
            Holder by = new Holder(Holder.Kind.RUN, 100 + k, "void" + k);
            o.failed(by, "void");
            int start = random.nextInt(BYTES);
            spans.add(new Span(by, k, start, start + random.nextInt(BYTES - start + 1), true, false, o));
        }
        if (random.nextInt(4) == 0) {
            int start = random.nextInt(BYTES);
            lost.add(new Lost(start, start + 1 + random.nextInt(2), new Holder(Holder.Kind.RUN, 99, "mark")));
        }
        Collections.shuffle(spans, random);
        Fence.Builder b = Fence.builder();
        for (Span s : spans) {
            b.entry(s.run, s.dispatch, 1, s.start, s.end, s.declares, s.overwrites, s.o);
        }
        lost.forEach(l -> b.unreadable(1, l.start, l.end, l.by, "mark"));
        Fence fence = b.build();
        spans.sort(Comparator.comparingLong(Span::dispatch));
        check(fence, spans, lost, seed);
        while (!outcomes.isEmpty()) {
            int i = random.nextInt(outcomes.size());
            resolve(outcomes.remove(i), holders.remove(i), random);
            check(fence, spans, lost, seed);
        }
    }

    private static void resolve(Outcome o, Holder run, Random random) {
        switch (random.nextInt(5)) {
            case 0 -> o.unproven(run, "unproven");
            case 1, 2 -> o.failed(run, "failed");
            default -> o.produced();
        }
    }

    private static void check(Fence fence, List<Span> spans, List<Lost> lost, long seed) {
        for (int start = 0; start < BYTES; start++) {
            for (int end = start + 1; end <= BYTES; end++) {
                for (boolean reading : new boolean[] {true, false}) {
                    Access is = reading ? fence.read(1, start, end - start) : fence.write(1, start, end - start);
                    Access should = model(spans, lost, start, end, reading);
                    // of several marks any may be cited
                    boolean same = should instanceof Access.Unproven
                            ? is instanceof Access.Unproven
                            : Objects.equals(is, should);
                    if (!same) {
                        String what = (reading ? "read " : "write ") + start + " to " + end + " of " + spans + ", "
                                + Seeds.replay(FenceRandomTest.class, seed);
                        assertThat(is).as(what).isEqualTo(should);
                    }
                }
            }
        }
    }

    private static @Nullable Access model(List<Span> spans, List<Lost> lost, int start, int end, boolean reading) {
        Access pending = null;
        Access failed = null;
        long failedDispatch = Long.MIN_VALUE;
        for (int at = start; at < end; at++) {
            for (Lost l : lost) {
                if (l.start <= at && at < l.end) {
                    return new Access.Unproven(l.by, "mark");
                }
            }
        }
        for (Span s : spans) {
            if ((s.declares || !reading) && s.start < end && start < s.end && s.start < s.end) {
                if (s.o.state() instanceof Outcome.State.Unproven u) {
                    return new Access.Unproven(u.by(), u.why());
                }
                if (s.o.isPending()) {
                    pending = new Access.NotProducedYet(s.run);
                }
            }
        }
        if (pending != null || !reading) {
            return pending;
        }
        for (int at = start; at < end; at++) {
            Span last = null;
            for (Span s : spans) {
                if (s.covers(at) && s.declares) {
                    if (s.o.state() instanceof Outcome.State.Failed) {
                        last = s;
                    } else if (s.overwrites) {
                        last = null;
                    }
                }
            }
            if (last != null && last.dispatch > failedDispatch && last.o.state() instanceof Outcome.State.Failed f) {
                failed = new Access.Failed(f.by(), f.why());
                failedDispatch = last.dispatch;
            }
        }
        return failed;
    }
}

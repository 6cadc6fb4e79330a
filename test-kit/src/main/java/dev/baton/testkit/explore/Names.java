package dev.baton.testkit.explore;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** Names that the steps so far have made, and which of them the next step had best use. */
final class Names {
    /** Commands about runs are mostly for one of so many. */
    private static final int RECENT = 5;

    private final Dice dice;
    private final List<String> buffers = new ArrayList<>();
    /** Buffers that no step has asked to free since. */
    private final List<String> alive = new ArrayList<>();

    private final List<String> freeable = new ArrayList<>();
    private final List<String> runs = new ArrayList<>();
    private final List<String> written = new ArrayList<>();
    /** Memory from elsewhere that is there now. */
    final List<String> foreign = new ArrayList<>();
    /** Buffers that no step frees, so that their raw address means something until a reset. */
    final List<String> pinned = new ArrayList<>();

    final List<String> held = new ArrayList<>();
    final List<String> leases = new ArrayList<>();
    /** Steps that let something held go on. */
    final List<ObjectNode> gates = new ArrayList<>();

    private int last;

    Names(Dice dice) {
        this.dice = dice;
    }

    /** A name that was not given before. */
    String fresh(String stem) {
        return stem + ++last;
    }

    void allocated(String name, boolean host) {
        buffers.add(name);
        alive.add(name);
        if (!host && pinned.isEmpty() && freeable.size() > 1) {
            pinned.add(name);
        } else {
            freeable.add(name);
        }
    }

    /** So few buffers are left that most steps would be refused. */
    boolean needBuffers() {
        return alive.size() < 3;
    }

    /** Any buffer, mostly one that is there. */
    String buffer() {
        return dice.of(alive.isEmpty() || dice.percent(8) ? buffers : alive);
    }

    /** What a run reads: often what the last ones write, so that runs make chains. */
    String input() {
        return !written.isEmpty() && dice.percent(45) ? recent(written) : buffer();
    }

    /** What a run writes. */
    String output() {
        String name = buffer();
        written.add(name);
        return name;
    }

    /** A buffer that a run may have left void. */
    String written() {
        return written.isEmpty() ? buffer() : recent(written);
    }

    /** A buffer to free, which the steps after it then mostly leave alone. */
    String toFree() {
        List<String> from = new ArrayList<>(freeable);
        if (dice.percent(90)) {
            from.retainAll(alive);
        }
        String name = dice.of(from.isEmpty() ? freeable : from);
        if (dice.percent(70)) {
            alive.remove(name);
            written.remove(name);
        }
        return name;
    }

    void submitted(String run) {
        runs.add(run);
    }

    boolean haveRuns() {
        return !runs.isEmpty();
    }

    String run() {
        return runs.isEmpty() ? "R0" : recent(runs);
    }

    private String recent(List<String> list) {
        int n = list.size();
        return dice.percent(85) ? list.get(n - 1 - dice.below(Math.min(n, RECENT))) : dice.of(list);
    }

    /** All buffers are of an earlier epoch, and raw addresses from before mean nothing. */
    void reset() {
        foreign.clear();
        pinned.clear();
        alive.clear();
        written.clear();
        held.clear();
        leases.clear();
    }
}

package dev.baton.sim;

import java.util.ArrayList;
import java.util.List;

/**
 * Writes down what the caller of the device must not do: breaches of Baton's own rules, never faults of a user's program. Used
 * inside the device's gate. A run is live here from the begin of its preparation to its finalize; one that ended unproven stays.
 */
final class Watch {
    private static final int MOST = 1000;

    private final SimCore core;
    private final List<String> sentences = new ArrayList<>();
    private int launching;
    private String launchingName = "";

    Watch(SimCore core) {
        this.core = core;
    }

    void breach(String sentence) {
        if (sentences.size() < MOST) {
            sentences.add(sentence);
        }
        core.tell(o -> o.violation(sentence));
    }

    List<String> sentences() {
        return List.copyOf(sentences);
    }

    void freeing(String label, Allocation a) {
        if (a.quarantined) {
            breach("free " + label + " at " + Operand.hex(a.address) + " was tried again after it had failed (L11)");
        }
        for (SimRun r : core.runs.values()) {
            if (r.touches(a.address, a.bytes, false)) {
                breach("free " + label + " at " + Operand.hex(a.address) + " is memory of run " + r.name());
            }
        }
    }

    /** A memory call writes (L12). */
    void writing(String what, long address, long bytes) {
        for (SimRun r : core.runs.values()) {
            if (r.touches(address, bytes, false)) {
                breach(what + " at " + Operand.hex(address) + " changes memory of run " + r.name());
            }
        }
    }

    /** A memory call reads (L12). While a run is being prepared it may be its own build that does. */
    void reading(String what, long address, long bytes) {
        for (SimRun r : core.runs.values()) {
            boolean building = r.state == RunState.PREPARING && !r.unproven;
            if (!building && r.touches(address, bytes, true)) {
                breach(what + " at " + Operand.hex(address) + " reads what run " + r.name() + " writes");
            }
        }
    }

    /** What a build recorded is written right before its run's launch (B10). */
    void runWriting(SimRun run, long address, long bytes) {
        if (!run.mayWrite(address, bytes)) {
            breach("run " + run.name() + " writes at " + Operand.hex(address) + ", which it does not name as written");
        }
        for (SimRun r : core.runs.values()) {
            if (r != run && r.launched && r.touches(address, bytes, false)) {
                breach("run " + run.name() + " writes at " + Operand.hex(address) + " under run " + r.name());
            }
        }
    }

    /** A preparation begins (N3, N5). */
    void beginning(SimRun run) {
        String what = "preparation of " + run.name() + " began ";
        if (!core.registered.containsKey(run.plan.callable().name())) {
            breach(what + "though its callable " + run.plan.callable().name() + " is not registered");
        }
        int others = 0;
        for (SimRun r : core.runs.values()) {
            if (r.plan.run().equals(run.plan.run())) {
                breach(what + "while an attempt of it is live");
            } else if (!r.unproven) {
                others++;
                beside(what + "beside run " + r.name(), run, r);
            }
        }
        if (others >= core.capabilities.maxDepth()) {
            breach(what + "beside " + others + " runs, but the device has maxDepth=" + core.capabilities.maxDepth());
        }
    }

    private void beside(String what, SimRun run, SimRun other) {
        if (!core.capabilities.concurrentPrepare()) {
            breach(what + ", but the device prepares one at a time");
        }
        if (!run.plan.early()) {
            breach(what + ", but is not said to be early");
        }
        if (run.plan.exclusive() || other.plan.exclusive()) {
            breach(what + ", but one of them is exclusive");
        }
        if (!run.joinable || !other.joinable) {
            breach(what + ", but one of them names memory that is not allocated here");
        }
    }

    void launchBegins(SimRun run) {
        if (launching > 0) {
            breach("launch of " + run.name() + " was called inside the launch of " + launchingName);
        }
        for (SimRun r : core.runs.values()) {
            if (!core.capabilities.joinedLaunch() && r != run && r.launched && !r.unproven) {
                breach("launch of " + run.name() + " before run " + r.name() + " was finalized");
            }
        }
        launching++;
        launchingName = run.name();
    }

    void launchEnds() {
        launching--;
    }

    void closing() {
        for (SimRun r : core.runs.values()) {
            breach("closed while run " + r.name() + " is not finalized or may still execute");
        }
    }

    void reset() {
        launching = 0;
    }
}

package dev.baton.sim;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Writes down what the caller of the device must not do. Used inside the device's gate. */
final class Watch {
    private static final int MOST = 1000;

    private final List<String> sentences = new ArrayList<>();
    private int launching;
    private String launchingName = "";

    void breach(String sentence) {
        if (sentences.size() < MOST) {
            sentences.add(sentence);
        }
    }

    List<String> sentences() {
        return List.copyOf(sentences);
    }

    void freeing(Collection<SimRun> live, String label, long address, long bytes) {
        for (SimRun r : live) {
            if (r.touches(address, bytes, false)) {
                breach("free " + label + " at " + Operand.hex(address) + " is memory of run " + r.name());
            }
        }
    }

    void writing(Collection<SimRun> live, String what, long address, long bytes) {
        for (SimRun r : live) {
            if (!r.unproven && r.touches(address, bytes, false)) {
                breach(what + " at " + Operand.hex(address) + " changes memory of run " + r.name());
            }
        }
    }

    /** Reads before a run's launch are its own build's or refused by Baton; from the launch on they race. */
    void reading(Collection<SimRun> live, String what, long address, long bytes) {
        for (SimRun r : live) {
            if (!r.unproven && r.launched && r.touches(address, bytes, true)) {
                breach(what + " at " + Operand.hex(address) + " reads what run " + r.name() + " writes");
            }
        }
    }

    void runWriting(Collection<SimRun> live, SimRun run, long address, long bytes) {
        if (!run.names(address, bytes)) {
            breach("run " + run.name() + " writes at " + Operand.hex(address) + ", which it does not name");
        }
        for (SimRun r : live) {
            if (r != run && r.onDevice() && r.touches(address, bytes, false)) {
                breach("run " + run.name() + " writes at " + Operand.hex(address) + " under run " + r.name());
            }
        }
    }

    void beginning(Collection<SimRun> live, SimRun run, boolean concurrent) {
        for (SimRun r : live) {
            if (!concurrent && !r.unproven && !r.plan.run().equals(run.plan.run())) {
                breach("preparation of " + run.name() + " began beside run " + r.name());
            }
        }
    }

    void launchBegins(Collection<SimRun> live, SimRun run, boolean joined) {
        if (launching > 0) {
            breach("launch of " + run.name() + " was called inside the launch of " + launchingName);
        }
        for (SimRun r : live) {
            if (!joined && r != run && r.onDevice()) {
                breach("launch of " + run.name() + " while run " + r.name() + " is on the device");
            }
        }
        launching++;
        launchingName = run.name();
    }

    void launchEnds() {
        launching--;
    }

    void reset() {
        launching = 0;
    }
}

package dev.baton.testkit.junit;

import dev.baton.sim.Held;
import dev.baton.sim.SimControl;

/** A point at which a run, or a call, can be held. */
public final class Gate {
    private final Bench bench;
    private final String what;
    private final String point;

    Gate(Bench bench, String what, String point) {
        this.bench = bench;
        this.what = what;
        this.point = point;
    }

    /** Whoever comes here stops, until {@link #go}. */
    public Gate hold() {
        control().hold(what, point);
        return this;
    }

    /** Waits until somebody stands here; fails if nobody comes. */
    public Gate awaitHeld() {
        if (!bench.await(this::isHeld)) {
            throw new AssertionError(
                    "nothing came to " + this + "; held are " + control().held());
        }
        return this;
    }

    /** Whether somebody stands here now. */
    public boolean isHeld() {
        return control().held().contains(new Held(what, point));
    }

    /** Lets go on who stands here; before anybody does, the next one won't stop. */
    public void go() {
        control().go(what, point);
    }

    private SimControl control() {
        return bench.control();
    }

    @Override
    public String toString() {
        return new Held(what, point).toString();
    }
}

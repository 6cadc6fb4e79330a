package dev.baton.sim;

/** One standing at a hold; opened by {@code go}. */
final class Stop {
    final Held at;
    volatile boolean open;

    Stop(Held at) {
        this.at = at;
    }
}

package dev.baton.sim;

/**
 * Something that stands at a hold.
 *
 * @param what the run's name or the call's label
 * @param point the point's name; {@code call} for a call
 */
public record Held(String what, String point) {
    @Override
    public String toString() {
        return what + " at " + point;
    }
}

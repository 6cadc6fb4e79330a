package dev.baton.testkit.runtime;

import java.util.Arrays;

/** Ready steps, sorted by label, then by age. Sorted on the way in: there are few at a time. */
final class ReadySteps {
    private static final int FIRST_CAPACITY = 64;

    private Step[] steps = new Step[FIRST_CAPACITY];
    private int size;

    int size() {
        return size;
    }

    Step get(int index) {
        return steps[index];
    }

    /** Puts a step in that is younger than all others. */
    void add(Step step) {
        if (size == steps.length) {
            steps = Arrays.copyOf(steps, size * 2);
        }
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (steps[middle].label().compareTo(step.label()) <= 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        System.arraycopy(steps, low, steps, low + 1, size - low);
        steps[low] = step;
        size++;
    }

    @SuppressWarnings("NullAway") // slots beyond the size are never read
    Step remove(int index) {
        Step step = steps[index];
        size--;
        System.arraycopy(steps, index + 1, steps, index, size - index);
        steps[size] = null;
        return step;
    }

    /** The index of the step that has been ready longest. */
    int oldest() {
        int oldest = 0;
        for (int i = 1; i < size; i++) {
            if (steps[i].seq() < steps[oldest].seq()) {
                oldest = i;
            }
        }
        return oldest;
    }

    void clear() {
        Arrays.fill(steps, null);
        size = 0;
    }
}

package dev.baton.testkit.scenario;

import com.fasterxml.jackson.databind.JsonNode;

/** Floats of which some are unknown. */
final class Cells {
    private final float[] values;
    private final boolean[] known;

    /** All unknown. */
    Cells(int size) {
        values = new float[size];
        known = new boolean[size];
    }

    static Cells of(JsonNode list) {
        Cells cells = new Cells(list.size());
        for (int i = 0; i < list.size(); i++) {
            cells.put(i, (float) list.get(i).asDouble());
        }
        return cells;
    }

    static Cells filled(int size, float value) {
        Cells cells = new Cells(size);
        for (int i = 0; i < size; i++) {
            cells.put(i, value);
        }
        return cells;
    }

    int size() {
        return values.length;
    }

    boolean known(int i) {
        return i >= 0 && i < known.length && known[i];
    }

    float get(int i) {
        return values[i];
    }

    void put(int i, float value) {
        if (i >= 0 && i < values.length) {
            values[i] = value;
            known[i] = true;
        }
    }

    void forget(int i) {
        if (i >= 0 && i < known.length) {
            known[i] = false;
        }
    }

    /** A copy of a part. */
    Cells part(int at, int count) {
        Cells part = new Cells(Math.max(0, count));
        part.copy(this, at, 0);
        return part;
    }

    void set(int at, Cells from) {
        copy(from, 0, at);
    }

    private void copy(Cells from, int fromAt, int at) {
        int n = fromAt == 0 ? from.size() : size();
        for (int i = 0; i < n; i++) {
            if (from.known(fromAt + i)) {
                put(at + i, from.get(fromAt + i));
            } else {
                forget(at + i);
            }
        }
    }
}

package dev.baton.sim;

import java.nio.FloatBuffer;

/** The loops of the built-in kernels over floats that lie in a row: {@code out[i] = f(a[i], b[i], c)} for the first n. */
final class Loops {
    /** One of them. */
    interface Loop {
        void run(FloatBuffer a, FloatBuffer b, FloatBuffer out, float c, int n);
    }

    private Loops() {}

    static void fill(FloatBuffer a, FloatBuffer b, FloatBuffer out, float c, int n) {
        for (int i = 0; i < n; i++) {
            out.put(i, c);
        }
    }

    static void copy(FloatBuffer a, FloatBuffer b, FloatBuffer out, float c, int n) {
        for (int i = 0; i < n; i++) {
            out.put(i, a.get(i));
        }
    }

    static void addConst(FloatBuffer a, FloatBuffer b, FloatBuffer out, float c, int n) {
        for (int i = 0; i < n; i++) {
            out.put(i, a.get(i) + c);
        }
    }

    static void scale(FloatBuffer a, FloatBuffer b, FloatBuffer out, float c, int n) {
        for (int i = 0; i < n; i++) {
            out.put(i, a.get(i) * c);
        }
    }

    static void add(FloatBuffer a, FloatBuffer b, FloatBuffer out, float c, int n) {
        for (int i = 0; i < n; i++) {
            out.put(i, a.get(i) + b.get(i));
        }
    }
}

package dev.baton.sim;

import dev.baton.protocol.driver.DriverException;
import java.nio.FloatBuffer;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The kernels that a device knows: the seven of SCENARIOS.md and the settings' own. */
final class Kernels {
    private static final int MAX_PIECE = 1 << 20;

    /**
     * One kernel.
     *
     * @param shape t for a tensor, s for a scalar, for each argument; null if anything goes
     */
    record Known(SimKernel code, @Nullable String shape) {}

    private interface Loop {
        void run(FloatBuffer a, FloatBuffer b, FloatBuffer out, float c, int n);
    }

    private interface Step {
        double of(double a, double b, double c);
    }

    private final Map<String, Known> known = new TreeMap<>();

    Kernels(Map<String, SimKernel> custom) {
        built(
                "fill",
                "ts",
                (a, b, o, c, n) -> {
                    for (int i = 0; i < n; i++) {
                        o.put(i, c);
                    }
                },
                (a, b, c) -> c,
                -1,
                -1,
                0);
        built(
                "copy",
                "tt",
                (a, b, o, c, n) -> {
                    for (int i = 0; i < n; i++) {
                        o.put(i, a.get(i));
                    }
                },
                (a, b, c) -> a,
                0,
                -1,
                1);
        built(
                "add_const",
                "tts",
                (a, b, o, c, n) -> {
                    for (int i = 0; i < n; i++) {
                        o.put(i, a.get(i) + c);
                    }
                },
                (a, b, c) -> a + c,
                0,
                -1,
                1);
        built(
                "scale",
                "tts",
                (a, b, o, c, n) -> {
                    for (int i = 0; i < n; i++) {
                        o.put(i, a.get(i) * c);
                    }
                },
                (a, b, c) -> a * c,
                0,
                -1,
                1);
        built(
                "add",
                "ttt",
                (a, b, o, c, n) -> {
                    for (int i = 0; i < n; i++) {
                        o.put(i, a.get(i) + b.get(i));
                    }
                },
                (a, b, c) -> a + b,
                0,
                1,
                2);
        built(
                "inc",
                "ts",
                (a, b, o, c, n) -> {
                    for (int i = 0; i < n; i++) {
                        o.put(i, a.get(i) + c);
                    }
                },
                (a, b, c) -> a + c,
                0,
                -1,
                0);
        built(
                "accumulate",
                "tt",
                (a, b, o, c, n) -> {
                    for (int i = 0; i < n; i++) {
                        o.put(i, b.get(i) + a.get(i));
                    }
                },
                (a, b, c) -> b + a,
                0,
                1,
                1);
        custom.forEach((name, code) -> known.put(name, new Known(code, null)));
    }

    Known get(String kernel) throws DriverException {
        Known k = known.get(kernel);
        if (k == null) {
            throw new DriverException("unknown kernel " + kernel + "; known are " + String.join(", ", known.keySet()));
        }
        return k;
    }

    private void built(String name, String shape, Loop loop, Step step, int a, int b, int out) {
        int scalar = shape.indexOf('s');
        known.put(name, new Known(call -> elementwise(call, loop, step, a, b, out, scalar), shape));
    }

    private static void elementwise(KernelCall call, Loop loop, Step step, int a, int b, int out, int scalar) {
        Operand to = call.tensor(out);
        Operand first = a < 0 ? to : call.tensor(a);
        Operand second = b < 0 ? to : call.tensor(b);
        double c = scalar < 0 ? 0 : call.scalar(scalar).asDouble();
        long n = to.elements();
        boolean plain = to.role().writes() && to.plain(n) && first.plain(n) && second.plain(n);
        for (long at = 0; plain && at < n && !call.cancelled(); ) {
            FloatBuffer o = to.floats(at);
            FloatBuffer x = first.floats(at);
            FloatBuffer y = second.floats(at);
            int piece = (int) Math.min(
                    Math.min(n - at, MAX_PIECE), Math.min(o.remaining(), Math.min(x.remaining(), y.remaining())));
            loop.run(x, y, o, (float) c, piece);
            at += piece;
        }
        if (plain) {
            return;
        }
        boolean exact = scalar < 0 && b < 0 && a >= 0 && first.type() == to.type();
        for (long i = 0; i < n; i++) {
            if (exact) {
                to.setBits(i, first.bits(i));
            } else {
                to.set(i, step.of(a < 0 ? 0 : first.get(i), b < 0 ? 0 : second.get(i), c));
            }
        }
    }
}

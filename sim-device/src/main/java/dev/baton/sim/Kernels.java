package dev.baton.sim;

import dev.baton.protocol.driver.DriverException;
import java.nio.FloatBuffer;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The kernels that a device knows: the seven of SCENARIOS.md and the settings' own. */
final class Kernels {
    /** So many floats are done between two looks at whether the device was reset. */
    private static final int MAX_PIECE = 1 << 20;
    /** The kernel does not have that argument. */
    private static final int NONE = -1;

    /**
     * One kernel.
     *
     * @param shape t for a tensor, s for a scalar, for each argument; null if anything goes
     */
    record Known(SimKernel code, @Nullable String shape) {}

    private interface Step {
        double of(double a, double b, double c);
    }

    private final Map<String, Known> known = new TreeMap<>();

    Kernels(Map<String, SimKernel> custom) {
        built("fill", "ts", Loops::fill, (a, b, c) -> c, NONE, NONE, 0);
        built("copy", "tt", Loops::copy, (a, b, c) -> a, 0, NONE, 1);
        built("add_const", "tts", Loops::addConst, (a, b, c) -> a + c, 0, NONE, 1);
        built("scale", "tts", Loops::scale, (a, b, c) -> a * c, 0, NONE, 1);
        built("add", "ttt", Loops::add, (a, b, c) -> a + b, 0, 1, 2);
        built("inc", "ts", Loops::addConst, (a, b, c) -> a + c, 0, NONE, 0);
        built("accumulate", "tt", Loops::add, (a, b, c) -> a + b, 0, 1, 1);
        custom.forEach((name, code) -> known.put(name, new Known(code, null)));
    }

    Known get(String kernel) throws DriverException {
        Known k = known.get(kernel);
        if (k == null) {
            throw new DriverException("unknown kernel " + kernel + "; known are " + String.join(", ", known.keySet()));
        }
        return k;
    }

    private void built(String name, String shape, Loops.Loop loop, Step step, int a, int b, int out) {
        int scalar = shape.indexOf('s');
        known.put(name, new Known(call -> elementwise(call, loop, step, a, b, out, scalar), shape));
    }

    /** For each element of {@code out}, in order. */
    private static void elementwise(KernelCall call, Loops.Loop loop, Step step, int a, int b, int out, int scalar) {
        Operand to = call.tensor(out);
        Operand first = a == NONE ? to : call.tensor(a);
        Operand second = b == NONE ? to : call.tensor(b);
        double c = scalar == NONE ? 0 : call.scalar(scalar).asDouble();
        long n = to.elements();
        if (to.role().writes() && to.plain(n) && first.plain(n) && second.plain(n)) {
            first.touched(n, a != NONE, false);
            second.touched(n, b != NONE, false);
            to.touched(n, false, true);
            inPieces(call, loop, first, second, to, (float) c);
            return;
        }
        boolean exact = scalar == NONE && b == NONE && first.type() == to.type();
        for (long i = 0; i < n; i++) {
            if (exact) {
                to.setBits(i, first.bits(i));
            } else {
                to.set(i, step.of(a == NONE ? 0 : first.get(i), b == NONE ? 0 : second.get(i), c));
            }
        }
    }

    private static void inPieces(KernelCall call, Loops.Loop loop, Operand a, Operand b, Operand out, float c) {
        long n = out.elements();
        for (long at = 0; at < n && !call.cancelled(); ) {
            FloatBuffer to = out.floats(at);
            FloatBuffer first = a == out ? to : a.floats(at);
            FloatBuffer second = b == out ? to : b.floats(at);
            long piece = Math.min(Math.min(n - at, MAX_PIECE), to.remaining());
            piece = Math.min(piece, Math.min(first.remaining(), second.remaining()));
            loop.run(first, second, to, c, (int) piece);
            at += piece;
        }
    }
}

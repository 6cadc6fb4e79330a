package dev.baton.build;

import dev.baton.protocol.DataType;
import dev.baton.protocol.Elements;
import dev.baton.protocol.build.Access;
import dev.baton.protocol.build.BuildSignal;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Element accesses of one attempt, in the typed and in the plain style. A refusal is decided, then shown to whoever watches
 * for races, then latched, then reported: the answer belongs to that access even where another failure has won the latch
 * meanwhile (B3, B4).
 */
final class Accesses {
    /** Nothing happens between a refusal and its report. */
    static final Runnable NOTHING_BETWEEN = () -> {};

    private final Tensors tensors;
    private final AttemptEnd end;
    private final String runName;
    private final AtomicReference<BiConsumer<Integer, Access>> watcher;

    Accesses(Attempt attempt, AttemptEnd end) {
        this.tensors = attempt.tensors();
        this.end = end;
        this.runName = attempt.runName();
        this.watcher = attempt.watcher();
    }

    // ---- typed answers

    Access read(int argument, long element, Runnable beforeReport) {
        if (end.over()) {
            return Access.Ended.INSTANCE;
        }
        TensorArgument t = covered(argument, element);
        if (t == null) {
            return report(argument, outside(argument, element), beforeReport);
        }
        Access refusal = t.refuseRead(element);
        if (refusal != null) {
            return report(argument, refusal, beforeReport);
        }
        try {
            return new Access.Value(bits(t, element));
        } catch (BuildSignal over) {
            return over.answer();
        }
    }

    Access write(int argument, long element, long bits, Runnable beforeReport) {
        if (end.over()) {
            return Access.Ended.INSTANCE;
        }
        TensorArgument t = covered(argument, element);
        if (t == null) {
            return report(argument, outside(argument, element), beforeReport);
        }
        Access refusal = t.role.writes()
                ? t.refuseWrite(element)
                : new Access.NotCovered("run " + runName + ": argument " + argument + " is IN and can't be written");
        if (refusal != null) {
            return report(argument, refusal, beforeReport);
        }
        t.put(element, bits);
        return Access.Done.INSTANCE;
    }

    // ---- plain getters, which throw a BuildSignal where there is no value

    double get(int argument, long element) {
        TensorArgument t = readable(argument, element);
        return Elements.toDouble(t.type, bits(t, element));
    }

    long getLong(int argument, long element) {
        TensorArgument t = readable(argument, element);
        long bits = bits(t, element);
        return isFloat(t.type) ? (long) Elements.toDouble(t.type, bits) : bits;
    }

    private static boolean isFloat(DataType type) {
        return type == DataType.F32 || type == DataType.F64 || type == DataType.F16 || type == DataType.BF16;
    }

    double[] getAll(int argument, long first, int count) {
        all(argument, first, count);
        double[] values = new double[count];
        for (int i = 0; i < count; i++) {
            values[i] = get(argument, first + i);
        }
        return values;
    }

    long[] getAllLong(int argument, long first, int count) {
        all(argument, first, count);
        long[] values = new long[count];
        for (int i = 0; i < count; i++) {
            values[i] = getLong(argument, first + i);
        }
        return values;
    }

    /** Whether all these elements are there, before room is made for them. */
    private void all(int argument, long first, int count) {
        end.check();
        TensorArgument t = tensors.of(argument);
        if (t == null || first < 0 || count < 0 || count > t.layout.elements() - first) {
            throw refused(
                    argument,
                    t == null
                            ? outside(argument, first)
                            : new Access.NotCovered("run " + runName + ": " + count + " elements from " + first
                                    + " on do not lie in argument " + argument + " of " + t.layout.elements()
                                    + " elements"));
        }
    }

    void set(int argument, long element, double value) {
        TensorArgument t = tensors.of(argument);
        put(argument, element, t == null ? 0 : Elements.fromDouble(t.type, value));
    }

    void setLong(int argument, long element, long value) {
        TensorArgument t = tensors.of(argument);
        put(argument, element, t == null ? 0 : isFloat(t.type) ? Elements.fromDouble(t.type, value) : value);
    }

    private void put(int argument, long element, long bits) {
        Access answer = write(argument, element, bits, NOTHING_BETWEEN);
        if (answer != Access.Done.INSTANCE) {
            throw new BuildSignal(answer);
        }
    }

    /** The tensor of an element that may be read now. Allocates nothing. */
    private TensorArgument readable(int argument, long element) {
        end.check();
        TensorArgument t = covered(argument, element);
        if (t == null) {
            throw refused(argument, outside(argument, element));
        }
        Access refusal = t.refuseRead(element);
        if (refusal != null) {
            throw refused(argument, refusal);
        }
        return t;
    }

    private BuildSignal refused(int argument, Access refusal) {
        return new BuildSignal(report(argument, refusal, NOTHING_BETWEEN));
    }

    /** The bits of an element that may be read; a driver that fails here fails the build, even if the build swallows it. */
    private long bits(TensorArgument t, long element) {
        try {
            return t.bits(element);
        } catch (BuildSignal over) {
            throw over;
        } catch (Exception | Error thrown) {
            end.fail(thrown);
            throw new BuildSignal(Access.Ended.INSTANCE);
        }
    }

    // ---- coverage

    /** The tensor that has the element, or null. */
    private @Nullable TensorArgument covered(int argument, long element) {
        TensorArgument t = tensors.of(argument);
        return t != null && t.layout.has(element) ? t : null;
    }

    /** Why an element is none of this run's (B3). */
    private Access.NotCovered outside(int argument, long element) {
        TensorArgument t = tensors.of(argument);
        if (t != null) {
            return new Access.NotCovered("run " + runName + ": element " + element + " lies outside argument "
                    + argument + " of " + t.layout.elements() + " elements");
        }
        return new Access.NotCovered(
                argument >= 0 && argument < tensors.arguments()
                        ? "run " + runName + ": argument " + argument + " is a scalar and has no elements"
                        : "run " + runName + " has no argument " + argument);
    }

    /** Why an argument has no value by copy; latched. */
    Access noScalar(int argument) {
        return report(
                argument,
                tensors.of(argument) == null
                        ? outside(argument, 0)
                        : new Access.NotCovered("run " + runName + ": argument " + argument + " is no scalar"),
                NOTHING_BETWEEN);
    }

    /** Latches a refusal and gives it back; it is latched whatever the watchers do (B4). */
    private Access report(int argument, Access refusal, Runnable beforeReport) {
        try {
            beforeReport.run();
            Objects.requireNonNull(watcher.get()).accept(argument, refusal);
        } finally {
            end.fail(asCause(refusal));
        }
        return refusal;
    }

    private static BuildLatch.Cause asCause(Access refusal) {
        if (refusal instanceof Access.NotProducedYet n) {
            return new BuildLatch.Cause.NotProduced(n.by());
        } else if (refusal instanceof Access.Failed f) {
            return new BuildLatch.Cause.Predecessor(f.by(), f.why());
        } else if (refusal instanceof Access.Unproven u) {
            return new BuildLatch.Cause.Unproven(u.by(), u.why());
        }
        return new BuildLatch.Cause.NotCovered(((Access.NotCovered) refusal).why());
    }
}

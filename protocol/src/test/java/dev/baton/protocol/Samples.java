package dev.baton.protocol;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/** Makes samples of records by reflection: one full, and one with everything null that may be. */
final class Samples {
    private final ActorRef<Object> someone;
    private int counter;

    Samples(ActorRef<Object> someone) {
        this.someone = someone;
    }

    /** Samples of a type; all kinds of what a sealed component may hold appear among them. */
    List<Object> of(Class<?> type) {
        List<Object> samples = new ArrayList<>();
        if (type.isEnum()) {
            samples.addAll(List.of(type.getEnumConstants()));
        } else {
            samples.add(make(type, false));
            samples.add(make(type, true));
        }
        return samples;
    }

    private Object make(Class<?> type, boolean sparse) {
        RecordComponent[] components = type.getRecordComponents();
        if (components == null) {
            throw new IllegalStateException(type + " is no record: say in Samples how to make one");
        }
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            boolean nullable = components[i].getAnnotatedType().isAnnotationPresent(Nullable.class);
            values[i] = sparse && nullable ? null : value(types[i], components[i].getGenericType(), sparse);
        }
        if (type == HostTensor.class) {
            return HostTensor.ofFloats(++counter, 2);
        }
        if (type == Argument.ToHost.class) {
            return new Argument.ToHost(DataType.F64, List.of(2L, 3L));
        }
        if (type == Tensor.class) {
            return new Tensor(
                    (Location) value(Location.class, Location.class, sparse),
                    8,
                    DataType.F32,
                    List.of(2L, 3L),
                    List.of(4L, -1L));
        }
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(types);
            return constructor.newInstance(values);
        } catch (NoSuchMethodException
                | InstantiationException
                | IllegalAccessException
                | InvocationTargetException e) {
            throw new IllegalStateException("a sample of " + type, e);
        }
    }

    private Object value(Class<?> type, Type generic, boolean sparse) {
        counter++;
        if (type == String.class) {
            return "text-" + counter;
        } else if (type == long.class || type == Long.class) {
            return (long) counter << 33;
        } else if (type == int.class || type == Integer.class) {
            return counter;
        } else if (type == boolean.class) {
            return counter % 2 == 0;
        } else if (type == Duration.class) {
            return Duration.ofNanos(1_000_000_001L * counter);
        } else if (type == ActorRef.class) {
            return someone;
        } else if (type == HostBytes.class) {
            return HostBytes.ofFloats(counter, -counter);
        } else if (type == Signature.class) {
            return new Signature(List.of(Parameter.of(Role.IN, DataType.F32), Parameter.of(Role.SCALAR)));
        } else if (type.isEnum()) {
            Object[] all = type.getEnumConstants();
            return all[counter % all.length];
        } else if (type == List.class) {
            return list((Class<?>) ((ParameterizedType) generic).getActualTypeArguments()[0], sparse);
        } else if (type.isSealed()) {
            return value(concrete(type).get(counter % concrete(type).size()), type, sparse);
        }
        return make(type, sparse);
    }

    /** A list with one of each kind that its elements may be. */
    private List<Object> list(Class<?> element, boolean sparse) {
        List<Object> list = new ArrayList<>();
        if (sparse) {
            return list;
        }
        for (Class<?> kind : element.isSealed() ? concrete(element) : List.<Class<?>>of(element)) {
            list.add(value(kind, kind, false));
        }
        return list;
    }

    private static List<Class<?>> concrete(Class<?> type) {
        List<Class<?>> all = new ArrayList<>();
        for (Class<?> permitted : type.getPermittedSubclasses()) {
            if (permitted.isSealed()) {
                all.addAll(concrete(permitted));
            } else if (!Modifier.isAbstract(permitted.getModifiers())) {
                all.add(permitted);
            }
        }
        return all;
    }
}

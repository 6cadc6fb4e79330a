package dev.baton.sim;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects what one run touches; neighbours are merged as they come. */
final class Touches {
    private final List<OfArgument> arguments = new ArrayList<>();

    /** What is touched through one argument of one task. */
    static final class OfArgument {
        private final int task;
        private final int argument;
        private final List<Touch> done = new ArrayList<>();
        private @Nullable Touch read;
        private @Nullable Touch write;

        private OfArgument(int task, int argument) {
            this.task = task;
            this.argument = argument;
        }

        void add(boolean written, long address, long bytes) {
            if (bytes == 0) {
                return;
            }
            Touch last = written ? write : read;
            Touch next = new Touch(task, argument, written, address, bytes);
            if (last != null && apart(last, next)) {
                done.add(last);
            } else if (last != null) {
                long start = Math.min(last.address(), address);
                long end = Math.max(last.address() + last.bytes(), address + bytes);
                next = new Touch(task, argument, written, start, end - start);
            }
            if (written) {
                write = next;
            } else {
                read = next;
            }
        }

        private static boolean apart(Touch a, Touch b) {
            return a.address() + a.bytes() < b.address() || b.address() + b.bytes() < a.address();
        }

        private void addTo(List<Touch> list) {
            list.addAll(done);
            if (read != null) {
                list.add(read);
            }
            if (write != null) {
                list.add(write);
            }
        }
    }

    OfArgument of(int task, int argument) {
        OfArgument o = new OfArgument(task, argument);
        arguments.add(o);
        return o;
    }

    List<Touch> all() {
        List<Touch> list = new ArrayList<>();
        arguments.forEach(a -> a.addTo(list));
        return list;
    }
}

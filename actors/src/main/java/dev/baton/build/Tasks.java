package dev.baton.build;

import dev.baton.protocol.Scalar;
import dev.baton.protocol.build.Access;
import dev.baton.protocol.build.BuildSignal;
import dev.baton.protocol.driver.Task;
import dev.baton.protocol.driver.Task.TaskArgument;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a build composes: tasks and scratch memory. What does not fit the run's arguments never reaches the driver (B2). */
final class Tasks {
    private final List<BuildArgument> arguments;
    private final String kernel;
    private final String runName;
    private final DriverCalls calls;
    private final AttemptEnd end;

    Tasks(Attempt attempt, AttemptEnd end) {
        this.arguments = attempt.arguments();
        this.kernel = attempt.kernel();
        this.runName = attempt.runName();
        this.calls = attempt.calls();
        this.end = end;
    }

    void emit(Task task) {
        if (end.over()) {
            return;
        }
        for (TaskArgument a : task.arguments()) {
            if (a instanceof TaskArgument.OfRun of && (of.index() < 0 || of.index() >= arguments.size())) {
                notCovered("task " + task.kernel() + " names argument " + of.index() + " of " + arguments.size());
                return;
            }
        }
        try {
            calls.emit(task.in(end.scope()));
        } catch (BuildSignal over) {
            // another thread ended the attempt: like every operation after that, this one just returns
            return;
        } catch (Exception | Error thrown) {
            end.fail(thrown);
        }
    }

    void emitOwn(Map<Integer, Scalar> scalars) {
        if (end.over()) {
            return;
        }
        for (Map.Entry<Integer, Scalar> e : scalars.entrySet()) {
            Scalar old = scalar(e.getKey());
            if (old == null) {
                notCovered("argument " + e.getKey() + " is no scalar and can't be replaced by one");
                return;
            }
            if (old.type() != e.getValue().type()) {
                notCovered("argument " + e.getKey() + " is a scalar of type " + old.type() + ", not "
                        + e.getValue().type());
                return;
            }
        }
        List<TaskArgument> list = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            Scalar replaced = scalars.get(i);
            list.add(replaced == null ? new TaskArgument.OfRun(i) : new TaskArgument.Value(replaced));
        }
        emit(new Task(kernel, list, List.of()));
    }

    /** The value of a scalar argument, or null. */
    @Nullable
    Scalar scalar(int argument) {
        return argument >= 0 && argument < arguments.size() && arguments.get(argument) instanceof BuildArgument.Value v
                ? v.scalar()
                : null;
    }

    private void notCovered(String why) {
        end.fail(new BuildLatch.Cause.NotCovered("run " + runName + ": " + why));
    }

    long scratch(long bytes) {
        end.check();
        try {
            return calls.scratch(bytes);
        } catch (BuildSignal over) {
            throw over;
        } catch (Exception | Error thrown) {
            end.fail(thrown);
            throw new BuildSignal(Access.Ended.INSTANCE);
        }
    }
}

package dev.baton.examples;

import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.DeviceCommand.When;
import dev.baton.protocol.Reply;
import dev.baton.protocol.Scalar;
import dev.baton.protocol.build.Access;
import dev.baton.protocol.build.BuildContext;
import dev.baton.protocol.driver.Task;
import dev.baton.protocol.driver.Task.TaskArgument;
import java.util.List;
import java.util.Map;
import org.apache.pekko.actor.typed.ActorRef;

/** Host builds of docs/builds.md, which shows this very code. Each composes one run of a callable, on the host. */
public final class HostBuilds {
    private HostBuilds() {}

    // <plain>
    /** For the callable scale(in, out, factor): divides by the input's first element, wherever that was computed. */
    static void divideByFirst(BuildContext c) {
        double first = c.get(0, 0); // if the run ahead has yet to produce it, this run waits by itself
        c.emitOwn(Map.of(2, Scalar.f32((float) (1 / first))));
    }
    // </plain>

    // <typed>
    /** The same with typed answers: nothing is thrown, and the answer says who stands in the way. */
    static void divideByFirstTyped(BuildContext c) {
        Access answer = c.read(0, 0);
        if (answer instanceof Access.NotProducedYet wait) {
            // the run is deferred behind wait.by() and this build runs again; tidy up what is yours and return
            return;
        }
        if (answer instanceof Access.Failed failed) {
            // void bytes: the run will answer PREDECESSOR_FAILED, naming failed.by(); nothing withdraws that
            return;
        }
        if (answer instanceof Access.Value) {
            double first = c.get(0, 0);
            if (first == 0) {
                c.fail("the first element is zero: there is nothing to divide by");
                return;
            }
            c.emitOwn(Map.of(2, Scalar.f32((float) (1 / first))));
        }
    }
    // </typed>

    // <tasks>
    /** For add(in, out, addend): two tasks that hand over in scratch memory of the run. */
    static void addTwice(BuildContext c) {
        long bytes = c.elements(0) * c.type(0).bytes();
        TaskArgument between = new TaskArgument.Scratch(c.scratch(bytes), bytes); // in no table, gone with the run
        TaskArgument in = new TaskArgument.OfRun(0);
        TaskArgument out = new TaskArgument.OfRun(1);
        TaskArgument addend = new TaskArgument.OfRun(2);
        c.inScope("first", s -> s.emit(new Task("add_const", List.of(in, between, addend), List.of())));
        c.inScope("second", s -> s.emit(new Task("add_const", List.of(between, out, addend), List.of())));
    }
    // </tasks>

    // <writes>
    /** For inc(inout, addend): numbers the elements on the host; the task then works on what was written. */
    static void numbered(BuildContext c) {
        for (long i = 0; i < c.elements(0); i++) {
            c.set(0, i, i + 1);
        }
        c.emitOwn(Map.of());
    }
    // </writes>

    // <asking>
    /** For copy(in, out): makes sure of room on another device, and gives it back. Waits for the answers, without deadlock. */
    static void probing(BuildContext c, ActorRef<DeviceCommand> other) {
        Reply.AllocateReply room = c.allocate(other, "room", 1 << 10);
        if (room instanceof Reply.Allocated a) {
            c.free(other, a.buffer(), When.NOW);
            c.emitOwn(Map.of());
        } else {
            c.fail("no room on the other device: " + room);
        }
    }
    // </asking>
}

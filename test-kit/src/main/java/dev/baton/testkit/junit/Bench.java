package dev.baton.testkit.junit;

import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.driver.DeviceRuntime;
import dev.baton.sim.SimControl;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;

/** What carries a test's device: a deterministic runtime, or real threads. */
interface Bench {
    ActorRef<DeviceCommand> door();

    SimControl control();

    /** An actor that hears one kind of message. */
    <T> ActorRef<T> recorder(Consumer<T> heard);

    /** Waits until the condition holds; false if it does not, and won't by itself. */
    boolean await(BooleanSupplier condition);

    /** Lets happen what can happen. */
    void rest();

    void advance(Duration by);

    void crash(String actor);

    /** Threads and waits. */
    DeviceRuntime runtime();

    /** Before a command is sent: lets others go first, if this is one of several clients. */
    void letOthers();

    /** Ends everything; tells what went wrong behind the test's back. */
    List<String> finish();

    /** What a person needs to see of a failure beside its message; may be empty. */
    String trail();
}

package dev.baton.cli.soak;

import dev.baton.cli.UserError;
import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.CallableSpec;
import dev.baton.protocol.DataType;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.HostBytes;
import dev.baton.protocol.LocalCommand;
import dev.baton.protocol.RefusalCode;
import dev.baton.protocol.Reply;
import dev.baton.protocol.Role;
import dev.baton.protocol.RunName;
import dev.baton.protocol.RunReply;
import dev.baton.protocol.RunRequest;
import dev.baton.protocol.Signature;
import dev.baton.sim.CallKind;
import dev.baton.sim.Fault;
import dev.baton.sim.Point;
import dev.baton.sim.SimControl;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;

/** One round of a soak, and how an epoch begins and ends. Names repeat, so that names alone keep nothing alive. */
final class Rounds {
    private static final int GOOD_CHAINS = 6;
    /** Runs of one round. */
    static final int RUNS = 3 * GOOD_CHAINS + 14;
    /** Answers of one round that are no ends of runs: a refused free, an abandon, a release. */
    private static final int OTHER_ANSWERS = 3;

    private static final int FLOATS = 4;

    /** How an actor is spawned. */
    interface Spawn {
        <T> ActorRef<T> spawn(Behavior<T> behavior, String name);
    }

    private final ActorRef<DeviceCommand> door;
    private final SimControl control;
    private final Tally tally;
    private final Function<Function<ActorRef<Reply>, DeviceCommand>, Reply> ask;
    private final ActorRef<RunReply> runs;
    private final ActorRef<Reply> refused;
    private final ActorRef<Reply> abandoned;
    private final ActorRef<Reply> released;
    private BufferHandle x = NONE;
    private BufferHandle y = NONE;
    private BufferHandle z = NONE;
    private BufferHandle w = NONE;

    private static final BufferHandle NONE = new BufferHandle("none", 1, 1);

    Rounds(
            ActorRef<DeviceCommand> door,
            SimControl control,
            Tally tally,
            Spawn spawn,
            Function<Function<ActorRef<Reply>, DeviceCommand>, Reply> ask) {
        this.door = door;
        this.control = control;
        this.tally = tally;
        this.ask = ask;
        this.runs = spawn.spawn(tally.runs(), "runs");
        this.refused = spawn.spawn(
                tally.answers("a free of a buffer in use", r -> refusedAs(r, RefusalCode.IN_USE)), "refused");
        this.abandoned = spawn.spawn(tally.answers("an abandon", r -> r instanceof Reply.Abandoned), "abandoned");
        this.released = spawn.spawn(tally.answers("a free when idle", r -> r instanceof Reply.Released), "released");
        expectations();
    }

    private static boolean refusedAs(Reply r, RefusalCode code) {
        return r instanceof Reply.Refused no && no.refusal().code() == code;
    }

    private void expectations() {
        tally.expect("held", "ABANDONED");
        tally.expect("after-held", "PREDECESSOR_FAILED");
        tally.expect("bad-execute", "EXECUTION_FAILED");
        tally.expect("after-execute", "PREDECESSOR_FAILED");
        tally.expect("after-after", "PREDECESSOR_FAILED");
        tally.expect("bad-build", "BUILD_FAILED");
        tally.expect("bad-prepare", "PREPARE_FAILED");
        tally.expect("bad-launch", "LAUNCH_FAILED");
        tally.expect("lost", "UNPROVEN");
    }

    /** Once: callables outlive resets. */
    void register() {
        Signature signature = Signature.of(Role.IN, Role.OUT);
        require(ask.apply(to -> new DeviceCommand.Register(new CallableSpec("copy", "copy", signature), to.narrow())));
        require(ask.apply(to -> new LocalCommand.RegisterBuild(
                new CallableSpec("built", "copy", signature), c -> c.fail("as ordered"), to.narrow())));
    }

    /** A new epoch: buffers and faults. */
    void open() {
        x = allocate("x");
        y = allocate("y");
        z = allocate("z");
        w = allocate("w");
        require(write(x));
        control.fail("bad-execute", Point.EXECUTE, Fault.ERROR);
        control.fail("bad-prepare", Point.PREPARE, Fault.ERROR);
        control.fail("bad-launch", Point.LAUNCH, Fault.ERROR);
        control.fail("lost", Point.FINALIZE, Fault.ERROR);
    }

    /** One round, to its rest. */
    void round() throws InterruptedException {
        BufferHandle t = allocate("t");
        require(write(t));
        tally.opening(RUNS + OTHER_ANSWERS);
        for (int i = 0; i < GOOD_CHAINS; i++) {
            run("good", x, y);
            run("good", y, z);
            run("good", z, w);
        }
        submit(request("copy", "held", y, w).held());
        door.tell(new DeviceCommand.Free(y, refused.narrow()));
        run("after-held", w, z);
        door.tell(new DeviceCommand.Abandon(new RunName("held"), abandoned.narrow()));
        run("bad-execute", x, y);
        run("after-execute", y, z);
        run("after-after", z, w);
        submit(request("built", "bad-build", x, w));
        run("bad-prepare", x, y);
        run("bad-launch", x, z);
        run("healing", x, y);
        run("healing", y, z);
        run("from-new", t, w);
        door.tell(new DeviceCommand.Free(t, 0, DeviceCommand.When.LATER, released.narrow()));
        run("bad-execute", x, w);
        run("bad-execute", x, z);
        run("after-after", z, w);
        tally.await();
    }

    /** The epoch's end: a failed free, an unproven end with its marks and poison, and a reset that takes all away. */
    void lose() throws InterruptedException {
        BufferHandle q = allocate("q");
        control.faultNext(CallKind.FREE, 1);
        expect(ask.apply(to -> new DeviceCommand.Free(q, to.narrow())) instanceof Reply.Failed, "a free that fails");
        tally.opening(1);
        run("lost", x, y);
        tally.await();
        Reply free = ask.apply(to -> new DeviceCommand.Free(y, to.narrow()));
        expect(refusedAs(free, RefusalCode.UNPROVEN), "a free of marked memory");
        Reply reset = ask.apply(to -> new DeviceCommand.Reset(to.narrow()));
        expect(reset instanceof Reply.ResetDone, "a reset");
        Reply stale = ask.apply(to -> new DeviceCommand.Free(x, to.narrow()));
        expect(refusedAs(stale, RefusalCode.STALE_BUFFER), "a free of an old handle");
    }

    private static void expect(boolean so, String what) {
        if (!so) {
            throw new UserError(what + " did not get its answer");
        }
    }

    private void run(String name, BufferHandle in, BufferHandle out) {
        submit(request("copy", name, in, out));
    }

    private static RunRequest.Builder request(String callable, String name, BufferHandle in, BufferHandle out) {
        return RunRequest.of(callable)
                .named(name)
                .tensor(in.tensor(DataType.F32, FLOATS))
                .tensor(out.tensor(DataType.F32, FLOATS));
    }

    private void submit(RunRequest.Builder request) {
        door.tell(new DeviceCommand.Submit(request.build(), runs));
    }

    private BufferHandle allocate(String name) {
        Reply r = ask.apply(to -> new DeviceCommand.Allocate(name, FLOATS * 4L, to.narrow()));
        require(r);
        return ((Reply.Allocated) r).buffer();
    }

    private Reply write(BufferHandle buffer) {
        return ask.apply(to -> new DeviceCommand.Write("w", buffer, 0, HostBytes.ofFloats(1, 2, 3, 4), to.narrow()));
    }

    private static void require(Reply r) {
        if (r instanceof Reply.Refused refused) {
            throw new UserError(refused.refusal().message());
        } else if (r instanceof Reply.Failed failed) {
            throw new UserError(failed.message());
        }
    }
}

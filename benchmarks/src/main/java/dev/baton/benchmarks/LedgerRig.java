package dev.baton.benchmarks;

import dev.baton.ledger.IoCall;
import dev.baton.ledger.Ledger;
import dev.baton.ledger.LedgerLimits;
import dev.baton.ledger.RunEnd;
import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.CallableSpec;
import dev.baton.protocol.DataType;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.RawAddress;
import dev.baton.protocol.Role;
import dev.baton.protocol.RunRequest;
import dev.baton.protocol.Signature;
import dev.baton.protocol.Tensor;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.apache.pekko.actor.typed.ActorRef;

/** The plain ledger with so many allocations, and runs over three of them at random. */
final class LedgerRig {
    static final long BYTES = 64;
    static final long FIRST = 1L << 20;
    private static final int REQUESTS = 1 << 14;
    private static final RunEnd COMPLETED = new RunEnd(null, true, false, true, false, List.of(), List.of());

    private final QuietPort port = new QuietPort();
    private final Ledger ledger;
    private final ActorRef<?> nobody;
    private final DeviceCommand.Submit[] submits = new DeviceCommand.Submit[REQUESTS];
    private final DeviceCommand.Read[] reads = new DeviceCommand.Read[REQUESTS];
    private long token;

    /** @param raw whether the runs name their buffers by address */
    LedgerRig(int allocations, boolean raw, ActorRef<?> nobody) {
        this.nobody = nobody;
        ledger = new Ledger("bench", 1, new LedgerLimits(2, 64, 64, 64, allocations + 1, 4, 4), port);
        ledger.command(
                ++token,
                new DeviceCommand.Register(
                        new CallableSpec("three", "three", Signature.of(Role.IN, Role.IN, Role.OUT)),
                        nobody.unsafeUpcast()));
        ledger.ioDone(port.call, IoCall.Done.INSTANCE);
        BufferHandle[] buffers = new BufferHandle[allocations];
        for (int i = 0; i < allocations; i++) {
            ledger.command(++token, new DeviceCommand.Allocate("b", BYTES, nobody.unsafeUpcast()));
            ledger.ioDone(port.call, new IoCall.Done(FIRST + i * BYTES));
            buffers[i] = Objects.requireNonNull(port.buffer);
        }
        SplittableRandom random = new SplittableRandom(allocations);
        for (int r = 0; r < REQUESTS; r++) {
            RunRequest.Builder request = RunRequest.of("three");
            int last = 0;
            for (int k = 0; k < 3; k++) {
                last = random.nextInt(allocations);
                request.tensor(
                        raw
                                ? Tensor.of(new RawAddress(FIRST + last * BYTES), 0, DataType.F32, BYTES / 4)
                                : Tensor.of(buffers[last], 0, DataType.F32, BYTES / 4));
            }
            submits[r] = new DeviceCommand.Submit(request.build(), nobody.unsafeUpcast());
            reads[r] =
                    new DeviceCommand.Read("r", buffers[last], 0, BYTES, DeviceCommand.When.NOW, nobody.unsafeUpcast());
        }
    }

    ActorRef<?> nobody() {
        return nobody;
    }

    /** Borrow, declare, a read that is refused for the declaration, discharge. */
    long cycles(int times) {
        int before = port.refused;
        for (int i = 0; i < times; i++) {
            int r = i & (REQUESTS - 1);
            ledger.command(++token, submits[r]);
            ledger.command(++token, reads[r]);
            ledger.discharge(port.run, COMPLETED, 0);
        }
        if (port.refused - before != times) {
            throw new IllegalStateException("every read meets a declaration: " + (port.refused - before) + "/" + times);
        }
        return port.run;
    }
}

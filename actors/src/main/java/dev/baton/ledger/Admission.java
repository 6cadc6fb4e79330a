package dev.baton.ledger;

import dev.baton.protocol.Argument;
import dev.baton.protocol.DataType;
import dev.baton.protocol.HostTensor;
import dev.baton.protocol.Lease;
import dev.baton.protocol.Parameter;
import dev.baton.protocol.Poison;
import dev.baton.protocol.Refusal;
import dev.baton.protocol.RefusalCode;
import dev.baton.protocol.Role;
import dev.baton.protocol.RunId;
import dev.baton.protocol.RunReply;
import dev.baton.protocol.RunRequest;
import dev.baton.protocol.Tensor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides a submit in one step: callable, signature, poison, capacity, lease, dispatch id, arguments, declaration, in this
 * order (N9). A refusal changes nothing at all.
 */
final class Admission {
    private final LedgerState s;
    private long lastRun;
    private long admissions;

    Admission(LedgerState state) {
        this.s = state;
    }

    void submit(long token, RunRequest request) {
        Callables.Entry callable = s.callables.find(request.callable());
        Refusal refusal = firstRefusal(request, callable);
        if (refusal != null || callable == null) {
            reject(token, request, refusal);
            return;
        }
        long dispatch = request.dispatch() != null ? request.dispatch() : s.runs.next();
        Arguments resolved = new Arguments(s, request, callable);
        refusal = resolved.resolve();
        if (refusal == null && s.declareFaults > 0 && resolved.declares()) {
            s.declareFaults--;
            refusal = Refusals.of(
                    RefusalCode.DECLARE_FAILED,
                    "run " + request.name() + ": what it writes could not be recorded. Submit it again.");
        }
        if (refusal != null) {
            reject(token, request, refusal);
            return;
        }
        admit(token, request, callable, dispatch, resolved);
    }

    private void admit(long token, RunRequest request, Callables.Entry callable, long dispatch, Arguments resolved) {
        RunId id = new RunId(s.device, s.epoch, ++lastRun);
        LiveRun run = new LiveRun(id, request, dispatch, token, callable, resolved.uses, resolved.joinable);
        run.admission = ++admissions;
        callable.liveRuns++;
        for (Use use : run.uses) {
            use.allocation().borrow(run);
        }
        s.runs.add(run);
        block(run);
        Lease lease = request.lease();
        List<SlotTable.Change> changes = s.slots.admit(run, lease == null ? -1 : lease.slot());
        s.port.reply(token, new RunReply.Accepted(id, run.name, dispatch), false);
        for (SlotTable.Change c : changes) {
            if (c.run() != run) {
                s.port.slotChanged(c.run().id.number(), c.slot());
            }
        }
        RunWork work = new RunWork(
                id,
                run.name,
                callable,
                resolved.work,
                dispatch,
                run.admission,
                run.joinable,
                request.exclusive(),
                request.held(),
                resolved.hostOutputs,
                request.queueDeadline(),
                request.executionDeadline());
        s.port.admitted(work, run.slot, !run.blockers.isEmpty() || callable.registering, run.admission);
    }

    /** L13: the run waits for the copies that it conflicts with, but for those that wait for a run behind it. */
    private void block(LiveRun run) {
        for (CopyOp op : s.copies) {
            boolean conflicts = false;
            for (Use use : run.uses) {
                conflicts |= op.conflictsWith(use);
            }
            if (conflicts && !waitsForARunBehind(op, run)) {
                run.blockers.add(op);
            }
        }
    }

    private boolean waitsForARunBehind(CopyOp op, LiveRun run) {
        if (op.placed) {
            return false;
        }
        for (LiveRun awaited : op.waitsFor) {
            if (awaited.dispatch > run.dispatch) {
                return true;
            }
        }
        for (CopyOp earlier : s.copies) {
            if (earlier == op) {
                return false;
            }
            if (!earlier.placed && op.conflictsWith(earlier) && waitsForARunBehind(earlier, run)) {
                return true;
            }
        }
        return false;
    }

    private @Nullable Refusal firstRefusal(RunRequest request, Callables.@Nullable Entry callable) {
        String run = "run " + request.name();
        if (callable == null) {
            return Refusals.of(
                    RefusalCode.UNKNOWN_CALLABLE,
                    run + ": callable " + request.callable() + " is not registered on device " + s.device
                            + ". Register it first.");
        }
        String misfit = misfit(request, callable.spec.signature().parameters());
        if (misfit != null) {
            return Refusals.of(RefusalCode.INVALID_ARGUMENT, run + " of " + request.callable() + ": " + misfit);
        }
        Poison poison = s.poison;
        if (poison != null) {
            return Refusals.by(
                    RefusalCode.POISONED,
                    List.of(poison.by()),
                    run + ": the lane is poisoned by " + poison.by() + " (" + poison.message()
                            + "). Reset the device to go on.");
        }
        Lease lease = request.lease();
        if (lease == null && s.slots.full()) {
            return Refusals.of(
                    RefusalCode.QUEUE_FULL,
                    run + ": " + s.slots.waiting() + " runs wait already (queue=" + s.limits.queue()
                            + "). Submit again when one has finished.");
        }
        if (lease != null) {
            Refusal r = leaseRefusal(run, lease);
            if (r != null) {
                return r;
            }
        }
        return dispatchRefusal(run, request);
    }

    private @Nullable Refusal leaseRefusal(String run, Lease lease) {
        boolean ours = lease.device().equals(s.device) && lease.epoch() == s.epoch;
        RefusalCode code = ours ? s.slots.refusalOf(lease.slot(), lease.generation()) : RefusalCode.STALE_LEASE;
        if (code == null) {
            return null;
        }
        LiveRun occupant = s.slots.occupant(lease.slot());
        return code == RefusalCode.SLOT_OCCUPIED && occupant != null
                ? Refusals.by(
                        code,
                        List.of(occupant.holder()),
                        run + ": slot " + lease.slot() + " carries " + occupant.holder()
                                + "; one live run at a time on a lease")
                : Refusals.of(code, run + ": the lease of slot " + lease.slot() + " is stale. Lease a slot anew.");
    }

    private @Nullable Refusal dispatchRefusal(String run, RunRequest request) {
        long dispatch = request.dispatch() != null ? request.dispatch() : s.runs.next();
        if (dispatch < 0) {
            return Refusals.of(RefusalCode.DISPATCH_ORDER, run + ": no dispatch id is left above the highest one");
        }
        RefusalCode code = s.runs.refusalOf(dispatch);
        return code == null
                ? null
                : Refusals.of(
                        code,
                        run + ": dispatch id " + dispatch
                                + (code == RefusalCode.DUPLICATE_DISPATCH
                                        ? " belongs to a live run"
                                        : " lies before a run that has begun or ended")
                                + ". Give a higher one, or none.");
    }

    /** Why the arguments don't fit the signature, or null (B2). */
    private static @Nullable String misfit(RunRequest request, List<Parameter> parameters) {
        List<Argument> arguments = request.arguments();
        if (arguments.size() != parameters.size()) {
            return arguments.size() + " arguments are given, but its signature has " + parameters.size();
        }
        for (int i = 0; i < arguments.size(); i++) {
            String why = misfit(arguments.get(i), parameters.get(i));
            if (why != null) {
                return "argument " + i + " " + why;
            }
        }
        return null;
    }

    private static @Nullable String misfit(Argument argument, Parameter parameter) {
        Role role = parameter.role();
        if (argument instanceof Argument.Value v) {
            return role != Role.SCALAR
                    ? "is a scalar, but the parameter is " + role
                    : wrongType(v.scalar().type(), parameter);
        }
        if (role == Role.SCALAR) {
            return "is a tensor, but the parameter is a scalar";
        }
        if (argument instanceof Argument.OnDevice d) {
            Tensor t = d.tensor();
            String type = wrongType(t.type(), parameter);
            long bytes = t.extent().valid() ? t.extent().length() : Long.MAX_VALUE;
            return type != null ? type : tooSmall(bytes, parameter);
        }
        if (argument instanceof Argument.FromHost f) {
            if (role == Role.OUT) {
                return "is a host tensor with content, but the parameter is OUT: give room for a result instead";
            }
            String type = wrongType(f.tensor().type(), parameter);
            return type != null ? type : tooSmall(f.tensor().bytes().size(), parameter);
        }
        Argument.ToHost out = (Argument.ToHost) argument;
        if (role != Role.OUT) {
            return "is room for a host result, but the parameter is " + role;
        }
        String type = wrongType(out.type(), parameter);
        return type != null ? type : tooSmall(HostTensor.sizeOf(out.type(), out.shape()), parameter);
    }

    private static @Nullable String wrongType(DataType type, Parameter parameter) {
        return parameter.type() == null || parameter.type() == type
                ? null
                : "has type " + type + ", but the parameter wants " + parameter.type();
    }

    private static @Nullable String tooSmall(long bytes, Parameter parameter) {
        return bytes >= parameter.minBytes()
                ? null
                : "has " + bytes + " bytes, but the parameter needs at least " + parameter.minBytes();
    }

    private void reject(long token, RunRequest request, @Nullable Refusal refusal) {
        if (refusal == null) {
            throw new IllegalStateException("a rejected run needs a reason: " + request.name());
        }
        s.port.reply(token, new RunReply.Rejected(request.name(), refusal), true);
    }

    /** The arguments of one request, resolved in order without recording anything. */
    private static final class Arguments {
        private final LedgerState s;
        private final RunRequest request;
        private final List<Parameter> parameters;
        final List<Use> uses = new ArrayList<>(4);
        final List<RunWork.WorkArgument> work = new ArrayList<>(4);
        boolean joinable = true;
        boolean hostOutputs;

        Arguments(LedgerState s, RunRequest request, Callables.Entry callable) {
            this.s = s;
            this.request = request;
            this.parameters = callable.spec.signature().parameters();
        }

        boolean declares() {
            for (Use u : uses) {
                if (u.role().writes()) {
                    return true;
                }
            }
            return false;
        }

        @Nullable
        Refusal resolve() {
            for (int i = 0; i < request.arguments().size(); i++) {
                Refusal r =
                        resolve(i, request.arguments().get(i), parameters.get(i).role());
                if (r != null) {
                    return r;
                }
            }
            return null;
        }

        private @Nullable Refusal resolve(int i, Argument argument, Role role) {
            if (argument instanceof Argument.Value v) {
                work.add(new RunWork.WorkArgument.Value(v.scalar()));
            } else if (argument instanceof Argument.FromHost f) {
                work.add(new RunWork.WorkArgument.HostIn(role, f.tensor()));
            } else if (argument instanceof Argument.ToHost t) {
                work.add(new RunWork.WorkArgument.HostOut(t.type(), t.shape()));
            } else {
                return resolve(i, ((Argument.OnDevice) argument).tensor(), role);
            }
            return null;
        }

        private @Nullable Refusal resolve(int i, Tensor tensor, Role role) {
            AllocationTable.Resolution r = s.table.resolve(tensor);
            if (r instanceof AllocationTable.Resolution.Bad bad) {
                return Refusals.of(bad.code(), "run " + request.name() + ", argument " + i + ": " + bad.why());
            }
            if (r instanceof AllocationTable.Resolution.Inside in) {
                uses.add(new Use(i, in.allocation(), in.start(), in.end(), role));
                addInside(tensor, role, in);
                return null;
            }
            long raw = tensor.location() instanceof dev.baton.protocol.RawAddress a ? a.value() + tensor.offset() : 0;
            if (r instanceof AllocationTable.Resolution.Foreign f) {
                joinable = false;
                work.add(new RunWork.WorkArgument.OnDevice(
                        role, tensor.type(), tensor.shape(), tensor.strides(), -1, 0, raw, f.address(), f.bytes()));
            } else {
                work.add(new RunWork.WorkArgument.OnDevice(
                        role, tensor.type(), tensor.shape(), tensor.strides(), -1, 0, raw, raw, 0));
            }
            return null;
        }

        private void addInside(Tensor tensor, Role role, AllocationTable.Resolution.Inside in) {
            Allocation a = in.allocation();
            long firstByte = tensor.location() instanceof dev.baton.protocol.RawAddress raw
                    ? raw.value() + tensor.offset() - a.address
                    : tensor.offset();
            if (a.host != null) {
                hostOutputs |= role.writes();
                work.add(new RunWork.WorkArgument.HostBuffer(
                        role, tensor.type(), tensor.shape(), tensor.strides(), a.handle.id(), firstByte, a.host));
            } else {
                work.add(new RunWork.WorkArgument.OnDevice(
                        role,
                        tensor.type(),
                        tensor.shape(),
                        tensor.strides(),
                        a.handle.id(),
                        firstByte,
                        a.address + firstByte,
                        a.address + in.start(),
                        in.end() - in.start()));
            }
        }
    }
}

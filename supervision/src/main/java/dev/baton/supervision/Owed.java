package dev.baton.supervision;

import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.DeviceStatus;
import dev.baton.protocol.FailureReason;
import dev.baton.protocol.LocalCommand;
import dev.baton.protocol.Refusal;
import dev.baton.protocol.RefusalCode;
import dev.baton.protocol.Reply;
import dev.baton.protocol.RunFailure;
import dev.baton.protocol.RunId;
import dev.baton.protocol.RunReply;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/**
 * What is owed to clients: each command gets exactly one terminal answer, whatever dies. Plain and single-threaded but for the
 * telling itself.
 */
final class Owed {
    /** A command that waits for its answer. */
    static final class Entry {
        final DeviceCommand command;
        /** The run that was accepted, if the command is a submit. */
        @Nullable
        RunId accepted;

        Entry(DeviceCommand command) {
            this.command = command;
        }
    }

    /** An admission whose answer was under way is told like one that never was: nobody is left to ask. */
    private static final String IN_DOUBT = " Whether the run had been admitted is not known; its work may have begun.";

    private final Map<Long, Entry> byToken = new LinkedHashMap<>();
    private final BiConsumer<DeviceCommand, Object> ended;
    private long lastToken;

    /** @param ended hears of runs that {@link #endAll} ends */
    Owed(BiConsumer<DeviceCommand, Object> ended) {
        this.ended = ended;
    }

    int size() {
        return byToken.size();
    }

    long add(DeviceCommand command) {
        long token = ++lastToken;
        byToken.put(token, new Entry(command));
        return token;
    }

    @Nullable
    Entry find(long token) {
        return byToken.get(token);
    }

    /**
     * Passes an answer on, once.
     *
     * @return the command, or null if nothing is owed for the token any more
     */
    @Nullable
    DeviceCommand answer(long token, Object reply, boolean last) {
        Entry entry = last ? byToken.remove(token) : byToken.get(token);
        if (entry == null) {
            return null;
        }
        if (reply instanceof RunReply.Accepted a) {
            entry.accepted = a.run();
        }
        tell(entry.command, reply);
        return entry.command;
    }

    /** Ends everything that is owed: runs with a failure, other commands with a refusal. */
    void endAll(FailureReason runs, RefusalCode unaccepted, RefusalCode namingBuffers, RefusalCode others, String why) {
        List<Entry> entries = new ArrayList<>(byToken.values());
        byToken.clear();
        for (Entry e : entries) {
            if (e.accepted != null && e.command instanceof DeviceCommand.Submit s) {
                RunFailure failure = new RunFailure(
                        runs,
                        null,
                        runs.name().toLowerCase(java.util.Locale.ROOT),
                        "run " + s.request().name() + " of " + s.request().callable() + ": " + why);
                RunReply.Finished end =
                        new RunReply.Finished(e.accepted, s.request().name(), failure, List.of());
                tell(e.command, end);
                ended.accept(e.command, end);
            } else if (e.command instanceof DeviceCommand.Submit) {
                refuse(e.command, Refusal.of(unaccepted, why + IN_DOUBT));
            } else {
                refuse(e.command, Refusal.of(namesBuffer(e.command) ? namingBuffers : others, why));
            }
        }
    }

    private static boolean namesBuffer(DeviceCommand c) {
        return c instanceof DeviceCommand.Free
                || c instanceof DeviceCommand.Write
                || c instanceof DeviceCommand.Read
                || c instanceof DeviceCommand.Copy
                || c instanceof DeviceCommand.Fill
                || c instanceof DeviceCommand.Revalidate;
    }

    /** Refuses a command that was never passed on. */
    static void refuse(DeviceCommand c, Refusal refusal) {
        if (c instanceof DeviceCommand.Submit s) {
            s.replyTo().tell(new RunReply.Rejected(s.request().name(), refusal));
        } else if (!(c instanceof DeviceCommand.GetStatus) && !(c instanceof DeviceCommand.Unsubscribe)) {
            tell(c, new Reply.Refused(refusal));
        }
    }

    /** Tells an answer to whom a command names. */
    @SuppressWarnings("unchecked") // the core answers each command with its own family only; tests send every one
    static void tell(DeviceCommand c, Object reply) {
        ActorRef<?> to = replyTo(c);
        if (to != null) {
            ((ActorRef<Object>) to).tell(reply);
        }
    }

    private static @Nullable ActorRef<?> replyTo(DeviceCommand c) {
        if (c instanceof DeviceCommand.Submit x) {
            return x.replyTo();
        } else if (c instanceof DeviceCommand.Free x) {
            return x.replyTo();
        } else if (c instanceof DeviceCommand.Write x) {
            return x.replyTo();
        } else if (c instanceof DeviceCommand.Read x) {
            return x.replyTo();
        } else if (c instanceof DeviceCommand.Allocate x) {
            return x.replyTo();
        } else if (c instanceof DeviceCommand.Copy x) {
            return x.replyTo();
        } else if (c instanceof DeviceCommand.Fill x) {
            return x.replyTo();
        } else if (c instanceof DeviceCommand.Activate x) {
            return x.replyTo();
        } else if (c instanceof DeviceCommand.Abandon x) {
            return x.replyTo();
        } else if (c instanceof DeviceCommand.GetStatus x) {
            return x.replyTo();
        } else if (c instanceof DeviceCommand.Drain x) {
            return x.replyTo();
        } else if (c instanceof DeviceCommand.Revalidate x) {
            return x.replyTo();
        } else if (c instanceof DeviceCommand.LeaseSlot x) {
            return x.replyTo();
        } else if (c instanceof DeviceCommand.GiveBack x) {
            return x.replyTo();
        } else if (c instanceof DeviceCommand.Register x) {
            return x.replyTo();
        } else if (c instanceof DeviceCommand.Unregister x) {
            return x.replyTo();
        } else if (c instanceof LocalCommand.RegisterBuild x) {
            return x.replyTo();
        } else if (c instanceof LocalCommand.Adopt x) {
            return x.replyTo();
        } else if (c instanceof DeviceCommand.Close x) {
            return x.replyTo();
        } else if (c instanceof DeviceCommand.Reset x) {
            return x.replyTo();
        } else if (c instanceof DeviceCommand.Subscribe x) {
            return x.replyTo();
        }
        return null;
    }

    /** Tokens of status questions that are owed. */
    List<DeviceCommand.GetStatus> takeStatusQuestions() {
        List<DeviceCommand.GetStatus> list = new ArrayList<>();
        byToken.values().removeIf(e -> {
            if (e.command instanceof DeviceCommand.GetStatus s) {
                list.add(s);
                return true;
            }
            return false;
        });
        return list;
    }

    /** Answers a status question. */
    static void status(DeviceCommand.GetStatus question, DeviceStatus status) {
        question.replyTo().tell(status);
    }
}

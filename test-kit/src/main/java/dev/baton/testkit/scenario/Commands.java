package dev.baton.testkit.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.HostBytes;
import dev.baton.protocol.Reply;
import dev.baton.protocol.RunName;
import dev.baton.protocol.Scalar;
import org.apache.pekko.actor.typed.ActorRef;

/** Steps as commands of the protocol, but for those that allocate or submit. */
final class Commands {
    private static final int F32 = 4;

    private final World world;
    private final Stage stage;
    private final Answers answers;

    Commands(World world, Stage stage, Answers answers) {
        this.world = world;
        this.stage = stage;
        this.answers = answers;
    }

    /** Makes what a step needs to be sent, the sending itself left to the caller. */
    Runnable command(Scenario.Step s, String label, World.Pending p) {
        JsonNode n = s.node();
        ActorRef<DeviceCommand> door = stage.door();
        long at = n.path("at").asLong(0);
        switch (s.what()) {
            case "write" -> {
                ActorRef<Reply.WriteReply> to = answers.into(s, p);
                HostBytes data = HostBytes.ofFloats(Requests.floats(n.get("f32")));
                return () -> door.tell(new DeviceCommand.Write(label, handle(n, "buffer"), at * F32, data, to));
            }
            case "read" -> {
                ActorRef<Reply.ReadReply> to = answers.into(s, p);
                DeviceCommand.When when = n.path("when").asText("now").equals("produced")
                        ? DeviceCommand.When.LATER
                        : DeviceCommand.When.NOW;
                return () -> door.tell(new DeviceCommand.Read(
                        label, handle(n, "buffer"), at * F32, count(n, "buffer", at) * F32, when, to));
            }
            case "free" -> {
                ActorRef<Reply.FreeReply> to = answers.into(s, p);
                DeviceCommand.When when =
                        n.path("when").asText("now").equals("idle") ? DeviceCommand.When.LATER : DeviceCommand.When.NOW;
                return () -> door.tell(new DeviceCommand.Free(handle(n, "buffer"), at * F32, when, to));
            }
            case "fill" -> {
                ActorRef<Reply.FillReply> to = answers.into(s, p);
                Scalar value = Scalar.f32((float) n.get("value").asDouble());
                return () -> door.tell(new DeviceCommand.Fill(
                        label, handle(n, "buffer"), at * F32, count(n, "buffer", at), value, to));
            }
            case "copy" -> {
                ActorRef<Reply.CopyReply> to = answers.into(s, p);
                return () -> door.tell(new DeviceCommand.Copy(
                        label,
                        handle(n, "from"),
                        at * F32,
                        handle(n, "to"),
                        n.path("toAt").asLong(0) * F32,
                        count(n, "from", at) * F32,
                        to));
            }
            case "revalidate" -> {
                ActorRef<Reply.RevalidateReply> to = answers.into(s, p);
                return () -> door.tell(new DeviceCommand.Revalidate(handle(n, "buffer"), to));
            }
            case "activate" -> {
                ActorRef<Reply.ActivateReply> to = answers.into(s, p);
                return () -> door.tell(
                        new DeviceCommand.Activate(new RunName(n.get("run").asText()), to));
            }
            case "abandon" -> {
                ActorRef<Reply.AbandonReply> to = answers.into(s, p);
                return () -> door.tell(
                        new DeviceCommand.Abandon(new RunName(n.get("run").asText()), to));
            }
            case "drain" -> {
                ActorRef<Reply.DrainReply> to = answers.into(s, p);
                return () -> door.tell(new DeviceCommand.Drain(to));
            }
            case "close" -> {
                ActorRef<Reply.CloseReply> to = answers.into(s, p);
                return () -> door.tell(new DeviceCommand.Close(to));
            }
            case "reset" -> {
                ActorRef<Reply.ResetReply> to = answers.into(s, p);
                return () -> door.tell(new DeviceCommand.Reset(to));
            }
            case "lease" -> {
                ActorRef<Reply.LeaseReply> to = answers.once(s, r -> {
                    p.reply = r;
                    if (r instanceof Reply.Leased l) {
                        world.leases.put(s.text("as"), l.lease());
                    }
                });
                return () -> door.tell(new DeviceCommand.LeaseSlot(n.get("slot").asInt(), to));
            }
            case "unlease" -> {
                ActorRef<Reply.GiveBackReply> to = answers.into(s, p);
                return () -> {
                    var lease = world.leases.get(n.get("lease").asText());
                    if (lease == null) {
                        throw new ScenarioError(
                                "unknown lease '" + n.get("lease").asText() + "'");
                    }
                    door.tell(new DeviceCommand.GiveBack(lease, to));
                };
            }
            default -> throw new ScenarioError("unknown step " + s.what());
        }
    }

    private BufferHandle handle(JsonNode n, String key) {
        BufferHandle handle = world.buffer(n.get(key).asText()).handle();
        if (handle == null) {
            throw new ScenarioError("buffer '" + n.get(key).asText() + "' is foreign at key " + key);
        }
        return handle;
    }

    private long count(JsonNode n, String key, long at) {
        return n.has("count")
                ? n.get("count").asLong()
                : world.buffer(n.get(key).asText()).bytes() / F32 - at;
    }
}

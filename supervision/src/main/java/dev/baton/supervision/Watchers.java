package dev.baton.supervision;

import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.DeviceEvent;
import dev.baton.protocol.Health;
import dev.baton.protocol.Refusal;
import dev.baton.protocol.RefusalCode;
import dev.baton.protocol.Reply;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.ActorContext;

/** Who watches a device's events; bounded, and each leaves with its actor. */
final class Watchers {
    private final String device;
    private final int bound;
    private final Set<ActorRef<DeviceEvent>> subscribers = new LinkedHashSet<>();
    private Health last = Health.OPEN;

    Watchers(String device, int bound) {
        this.device = device;
        this.bound = bound;
    }

    boolean isEmpty() {
        return subscribers.isEmpty();
    }

    void add(ActorContext<?> ctx, DeviceCommand.Subscribe s) {
        if (subscribers.size() >= bound && !subscribers.contains(s.subscriber())) {
            Owed.refuse(
                    s,
                    Refusal.of(
                            RefusalCode.BUSY,
                            "subscribe: " + bound + " actors watch device " + device + " already (subscribers=" + bound
                                    + ")"));
            return;
        }
        if (subscribers.add(s.subscriber())) {
            ctx.watch(s.subscriber());
        }
        Owed.tell(s, new Reply.Subscribed());
    }

    void remove(ActorContext<?> ctx, ActorRef<?> subscriber) {
        subscribers.removeIf(s -> {
            if (s.equals(subscriber)) {
                ctx.unwatch(s);
                return true;
            }
            return false;
        });
    }

    void tell(DeviceEvent event) {
        for (ActorRef<DeviceEvent> s : subscribers) {
            s.tell(event);
        }
    }

    void health(long epoch, Health now, String why) {
        if (now != last) {
            tell(new DeviceEvent.HealthChanged(device, epoch, last, now, why));
            last = now;
        }
    }
}

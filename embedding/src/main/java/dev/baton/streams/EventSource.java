package dev.baton.streams;

import dev.baton.embedding.DeviceClient;
import dev.baton.embedding.EventTap;
import dev.baton.protocol.DeviceEvent;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.BoundedSourceQueue;
import org.apache.pekko.stream.javadsl.Source;

/** A device's events as a stream. */
public final class EventSource {
    private EventSource() {}

    /**
     * The events from when the stream runs. The device never waits for the stream: when {@code buffer} events wait downstream, later
     * ones are dropped until there is room.
     *
     * @param buffer how many events may wait, at least 1
     */
    public static Source<DeviceEvent, NotUsed> of(DeviceClient device, int buffer) {
        return Source.lazySource(() -> Source.<DeviceEvent>queue(buffer)
                        .mapMaterializedValue(queue -> subscribed(device, queue))
                        .watchTermination((tap, done) -> {
                            done.whenComplete((end, problem) -> tap.thenAccept(EventTap::close));
                            return NotUsed.getInstance();
                        }))
                .mapMaterializedValue(later -> NotUsed.getInstance());
    }

    private static CompletionStage<EventTap> subscribed(DeviceClient device, BoundedSourceQueue<DeviceEvent> queue) {
        CompletionStage<EventTap> tap = device.subscribe(queue::offer);
        tap.whenComplete((open, problem) -> {
            if (problem != null) {
                queue.fail(problem);
            }
        });
        return tap;
    }
}

package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.DeviceCommand;
import dev.baton.protocol.DeviceEvent;
import dev.baton.protocol.Health;
import dev.baton.protocol.Reply;
import dev.baton.sim.Fault;
import dev.baton.sim.Point;
import dev.baton.supervision.DeviceSupervisor;
import dev.baton.testkit.junit.BatonDevice;
import dev.baton.testkit.junit.Probe;
import dev.baton.testkit.junit.TestDevice;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

/** What an operator reads and watches: one line for each failure, an event for each change of health. */
@Isolated
class FailureLogTest {
    private static final Logger LOG = (Logger) LoggerFactory.getLogger(DeviceSupervisor.class);

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>() {
        @Override
        protected void append(ILoggingEvent e) {
            lines.add(e.getLevel() + " " + e.getFormattedMessage());
        }
    };

    @BeforeEach
    void listen() {
        LOG.setLevel(Level.INFO);
        appender.start();
        LOG.addAppender(appender);
    }

    @AfterEach
    void stop() {
        LOG.detachAppender(appender);
        LOG.setLevel(null);
    }

    @BatonDevice(seeds = 0, threads = 1)
    void aFailureIsOneLineWithRunCallableBuffersCauseAndWayOut(TestDevice device) {
        BufferHandle x = device.floats("input", 1);
        BufferHandle y = device.floats("result", 0);
        device.control().fail("bad", Point.EXECUTE, Fault.ERROR);
        device.addConst("bad", x, y, 1, 1).failure();
        device.addConst("next", y, x, 1, 1).failure();
        device.await("two lines", () -> lines.size() >= 2);
        assertThat(lines).hasSize(2).allMatch(l -> l.startsWith("WARN ") && !l.contains("\n"));
        assertThat(lines.get(0))
                .contains("device=dev run=bad callable=add_const buffers=[input, result]")
                .contains("failed reason=EXECUTION_FAILED at=execute")
                .contains("Way out: look at the kernel");
        assertThat(lines.get(1))
                .contains("run=next callable=add_const buffers=[result, input]")
                .contains("reason=PREDECESSOR_FAILED", "by=run bad (1)")
                .contains("Way out: look for the first cause");
    }

    @BatonDevice(seeds = 0, threads = 1)
    void poisonIsOneLineThatNamesTheFirstCauseAndTheReset(TestDevice device) {
        BufferHandle x = device.floats("x", 1);
        BufferHandle y = device.floats("y", 0);
        device.control().fail("lost", Point.FINALIZE, Fault.ERROR);
        device.addConst("lost", x, y, 1, 1).failure();
        device.await("two lines", () -> lines.size() >= 2);
        assertThat(lines)
                .filteredOn(l -> l.startsWith("ERROR"))
                .singleElement()
                .asString()
                .contains("lane poisoned by run lost (1) reason=UNPROVEN", "Way out: reset the device");
    }

    @BatonDevice(seeds = 0, threads = 1)
    void whatADoorEndsItselfIsLoggedToo(TestDevice device) {
        BufferHandle x = device.floats("x", 1);
        BufferHandle y = device.floats("y", 0);
        device.gate("A", Point.EXECUTE).hold();
        var run = device.addConst("A", x, y, 1, 1);
        run.id();
        device.<Reply.ResetReply>ask("reset", DeviceCommand.Reset::new).get(Reply.ResetDone.class);
        run.failure();
        device.await("a line", () -> !lines.isEmpty());
        assertThat(lines)
                .singleElement()
                .asString()
                .contains("run=A callable=add_const buffers=[x, y] failed reason=RESET", "Way out: allocate anew");
    }

    @BatonDevice(seeds = 20, threads = 1)
    void eachChangeOfHealthIsAnEvent(TestDevice device) {
        Probe<DeviceEvent> events = device.probe("events");
        device.<Reply.SubscribeReply>ask("subscribe", to -> new DeviceCommand.Subscribe(events.ref(), to))
                .get(Reply.Subscribed.class);
        BufferHandle x = device.floats("x", 1);
        device.control().fail("lost", Point.FINALIZE, Fault.ERROR);
        device.addConst("lost", x, device.floats("y", 0), 1, 1).failure();
        assertThat(device.status().health()).isEqualTo(Health.POISONED);
        device.control().faultNext(dev.baton.sim.CallKind.RESET, 1);
        device.<Reply.ResetReply>ask("reset", DeviceCommand.Reset::new).get(Reply.Failed.class);
        device.<Reply.ResetReply>ask("reset again", DeviceCommand.Reset::new).get(Reply.ResetDone.class);
        device.<Reply.CloseReply>ask("close", DeviceCommand.Close::new).get(Reply.Closed.class);
        device.await("four changes", () -> changes(events).size() >= 4);
        assertThat(changes(events))
                .containsExactly("OPEN to POISONED", "POISONED to FAILED", "FAILED to OPEN", "OPEN to CLOSED");
    }

    private static List<String> changes(Probe<DeviceEvent> events) {
        return events.all().stream()
                .filter(DeviceEvent.HealthChanged.class::isInstance)
                .map(DeviceEvent.HealthChanged.class::cast)
                .map(h -> h.from() + " to " + h.to())
                .toList();
    }
}

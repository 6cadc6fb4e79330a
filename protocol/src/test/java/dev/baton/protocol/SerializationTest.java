package dev.baton.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import dev.baton.protocol.build.HostBuild;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.serialization.Serialization;
import org.apache.pekko.serialization.SerializationExtension;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Every permitted type of every sealed family that may leave the process survives Jackson CBOR through Pekko's serialization. Types
 * are found by reflection, so that none can be forgotten; one that Jackson does not know by name fails here.
 */
class SerializationTest {
    /** Families that travel, by the roots that are bound. */
    private static final List<Class<?>> FAMILIES =
            List.of(DeviceCommand.Remote.class, Reply.class, RunReply.class, DeviceEvent.class, DeviceStatus.class);

    private static final int TYPES_AT_LEAST = 45;

    private static ActorSystem<Void> system;
    private static Serialization serialization;
    private static ActorRef<Object> someone;

    @SuppressWarnings("NullAway.Init") // made before all tests
    SerializationTest() {}

    @BeforeAll
    static void start() {
        system = ActorSystem.create(
                Behaviors.empty(),
                "serialization",
                ConfigFactory.parseString("""
                                pekko.loglevel = OFF
                                pekko.actor.serialization-bindings {
                                  "dev.baton.protocol.DeviceCommand$Remote" = jackson-cbor
                                  "dev.baton.protocol.Reply" = jackson-cbor
                                  "dev.baton.protocol.RunReply" = jackson-cbor
                                  "dev.baton.protocol.DeviceEvent" = jackson-cbor
                                  "dev.baton.protocol.DeviceStatus" = jackson-cbor
                                }
                                """).withFallback(ConfigFactory.load()));
        serialization = SerializationExtension.get(Adapter.toClassic(system));
        someone = system.systemActorOf(Behaviors.ignore(), "someone", Props.empty());
    }

    @AfterAll
    static void stop() {
        system.terminate();
    }

    @TestFactory
    List<DynamicTest> everyTypeOfEveryFamilySurvivesCbor() {
        List<Class<?>> types = new ArrayList<>();
        FAMILIES.forEach(f -> leaves(f, types));
        assertThat(types).hasSizeGreaterThanOrEqualTo(TYPES_AT_LEAST).doesNotHaveDuplicates();
        Samples samples = new Samples(someone);
        List<DynamicTest> tests = new ArrayList<>();
        for (Class<?> type : types) {
            for (Object sample : samples.of(type)) {
                tests.add(DynamicTest.dynamicTest(type.getSimpleName() + " " + tests.size(), () -> survives(sample)));
            }
        }
        return tests;
    }

    private static void survives(Object sample) throws Exception {
        byte[] bytes = serialization.serialize(sample).get();
        int id = serialization.findSerializerFor(sample).identifier();
        String manifest =
                org.apache.pekko.serialization.Serializers.manifestFor(serialization.findSerializerFor(sample), sample);
        Object back = serialization.deserialize(bytes, id, manifest).get();
        assertThat(back).isEqualTo(sample);
    }

    private static void leaves(Class<?> type, List<Class<?>> into) {
        if (type.isSealed()) {
            for (Class<?> permitted : type.getPermittedSubclasses()) {
                leaves(permitted, into);
            }
        } else if (!Modifier.isAbstract(type.getModifiers()) && !into.contains(type)) {
            into.add(type);
        }
    }

    @Test
    void commandsThatCarryCodeNeverLeaveTheProcess() {
        HostBuild build = context -> {};
        CallableSpec spec = new CallableSpec("c", "k", Signature.of(Role.IN));
        List<DeviceCommand> local = List.of(
                new LocalCommand.RegisterBuild(spec, build, someone.narrow()),
                new LocalCommand.Adopt("h", ByteBuffer.allocateDirect(4), someone.narrow()));
        assertThat(local).hasSameSizeAs(LocalCommand.class.getPermittedSubclasses());
        for (DeviceCommand command : local) {
            assertThatThrownBy(() -> serialization.findSerializerFor(command))
                    .isInstanceOf(java.io.NotSerializableException.class);
        }
    }
}

package dev.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.protocol.BufferHandle;
import dev.baton.protocol.CallableSpec;
import dev.baton.protocol.FailureReason;
import dev.baton.protocol.Reply;
import dev.baton.protocol.Role;
import dev.baton.protocol.RunRequest;
import dev.baton.protocol.Signature;
import dev.baton.protocol.build.HostBuild;
import dev.baton.testkit.junit.BatonDevice;
import dev.baton.testkit.junit.TestDevice;
import dev.baton.testkit.junit.TestRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestTemplate;

/** The guide's host builds run, and the guide shows them as they are. */
@BatonDevice(seeds = 10, threads = 2)
class HostBuildsTest {
    private static final Pattern REGION = Pattern.compile("    // <(\\w+)>\n(.*?)    // </\\1>", Pattern.DOTALL);

    private static void register(TestDevice device, String kernel, HostBuild build, Role... roles) {
        device.register(new CallableSpec("built", kernel, Signature.of(roles)), build)
                .get(Reply.Registered.class);
    }

    private static TestRun run(TestDevice device, BufferHandle in, BufferHandle out, int count) {
        return device.submit(RunRequest.of("built")
                .named("b")
                .tensor(TestDevice.f32(in, count))
                .tensor(TestDevice.f32(out, count))
                .scalar(10)
                .build());
    }

    @TestTemplate
    void aValueOfTheRunAheadIsWaitedFor(TestDevice device) {
        for (HostBuild build : new HostBuild[] {HostBuilds::divideByFirst, HostBuilds::divideByFirstTyped}) {
            register(device, "scale", build, Role.IN, Role.OUT, Role.SCALAR);
            BufferHandle x = device.floats("x", 1, 7);
            BufferHandle y = device.floats("y", 0, 0);
            BufferHandle z = device.floats("z", 0, 0);
            device.addConst("a", x, y, 2, 1);
            run(device, y, z, 2).completed();
            assertThat(device.values(z, 2)).containsExactly(1, 4);
        }
    }

    @TestTemplate
    void aBuildGivesUpInWords(TestDevice device) {
        register(device, "scale", HostBuilds::divideByFirstTyped, Role.IN, Role.OUT, Role.SCALAR);
        TestRun run = run(device, device.floats("x", 0), device.floats("y", 0), 1);
        assertThat(run.failure().reason()).isEqualTo(FailureReason.BUILD_FAILED);
        assertThat(run.failure().message()).contains("nothing to divide by");
    }

    @TestTemplate
    void tasksHandOverInScratchMemory(TestDevice device) {
        register(device, "add_const", HostBuilds::addTwice, Role.IN, Role.OUT, Role.SCALAR);
        BufferHandle y = device.floats("y", 0, 0);
        run(device, device.floats("x", 1, 2), y, 2).completed();
        assertThat(device.values(y, 2)).containsExactly(21, 22);
    }

    @TestTemplate
    void whatIsWrittenIsThereBeforeTheTask(TestDevice device) {
        register(device, "inc", HostBuilds::numbered, Role.INOUT, Role.SCALAR);
        BufferHandle x = device.floats("x", 0, 0, 0);
        device.submit(RunRequest.of("built")
                        .tensor(TestDevice.f32(x, 3))
                        .scalar(100)
                        .build())
                .completed();
        assertThat(device.values(x, 3)).containsExactly(101, 102, 103);
    }

    @TestTemplate
    void devicesAreAskedFromInside(TestDevice device) {
        register(device, "copy", c -> HostBuilds.probing(c, device.door()), Role.IN, Role.OUT);
        BufferHandle y = device.floats("y", 0);
        device.submit(RunRequest.of("built")
                        .tensor(TestDevice.f32(device.floats("x", 5), 1))
                        .tensor(TestDevice.f32(y, 1))
                        .build())
                .completed();
        assertThat(device.values(y, 1)).containsExactly(5);
        assertThat(device.status().allocated()).isEqualTo(2);
    }

    @Test
    void theGuideShowsThisVeryCode() throws IOException {
        String source = Files.readString(Path.of("src/main/java/dev/baton/examples/HostBuilds.java"));
        String guide = Files.readString(Path.of("../docs/builds.md"));
        Matcher region = REGION.matcher(source);
        int shown = 0;
        while (region.find()) {
            assertThat(guide)
                    .contains("```java\n"
                            + region.group(2).stripTrailing().stripIndent().strip() + "\n```");
            shown++;
        }
        assertThat(shown).isEqualTo(5);
    }
}

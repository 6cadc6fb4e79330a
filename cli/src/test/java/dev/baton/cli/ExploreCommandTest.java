package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.context.Decorator;
import dev.baton.testkit.scenario.ScenarioRunner;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.BehaviorInterceptor;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ExploreCommandTest {
    private static final Pattern VIOLATION = Pattern.compile("VIOLATION with seed (\\d+): (.*)");

    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();

    @Test
    void itSaysHowManyProgramsItPlayedAndHowFast() {
        assertThat(main(
                        "explore",
                        "--seeds",
                        "1..20",
                        "--save",
                        folder.resolve("found").toString()))
                .isZero();
        assertThat(out.toString())
                .contains("Exploring from seed 1 to 20")
                .containsPattern(
                        "20 programs, \\d+ commands in [\\d.]+ s: \\d+ programs per second, \\d+ per second of one core")
                .contains("No invariant was broken (seeds 1..20)");
        assertThat(folder.resolve("found")).doesNotExist();
    }

    @Test
    void withoutSeedsItBeginsWhereTheClockSaysAndEndsInTime() {
        assertThat(main("explore", "--minutes", "0.001")).isZero();
        assertThat(out.toString()).containsPattern("Exploring from seed \\d{13}, at most 0.001 min");
    }

    /** The planted bug: the ledger never hears that a memory call is done. */
    @Test
    void aPlantedBugIsFoundShrunkSavedAndReplayed() throws IOException {
        Supplier<ScenarioRunner> broken = () -> new ScenarioRunner(new Deaf());
        assertThat(run(new ExploreCommand(broken), "--seeds", "1..500", "--save", folder.toString()))
                .isEqualTo(1);
        Matcher m = VIOLATION.matcher(out.toString());
        assertThat(m.find()).isTrue();
        String message = m.group(2);
        assertThat(message).contains("invariant (i)");
        Path file = folder.resolve("explored-" + m.group(1) + ".json");
        assertThat(out.toString())
                .contains("The last messages before it")
                .contains("ledger <- ")
                .contains("Saved: " + file)
                .contains("Replay: ./baton scenario " + file)
                .contains(Files.readString(file).strip());

        out.getBuffer().setLength(0);
        assertThat(run(new ScenarioCommand(broken), file.toString())).isEqualTo(1);
        assertThat(out.toString()).contains("FAIL explored-" + m.group(1) + ": " + message);

        out.getBuffer().setLength(0);
        assertThat(main("scenario", file.toString())).isZero();
    }

    @Test
    void badOptionsAreToldInOneSentence() throws IOException {
        assertTold("baton: --seeds 9..1: a range is A..B with A at most B", "--seeds", "9..1");
        assertTold("baton: --seeds x: a range is A..B, two whole numbers", "--seeds", "x");
        assertTold("baton: --minutes 0: more than 0 is needed", "--minutes", "0");
        assertTold("baton: --minutes soon: a number of minutes is needed", "--minutes", "soon");
        assertTold("baton: --minutes NaN: more than 0 is needed", "--minutes", "NaN");
        Path file = Files.writeString(folder.resolve("file"), "");
        assertTold(
                "baton: --save " + file + ": " + file + " is no folder that can be written to",
                "--save",
                file.toString());
    }

    private void assertTold(String sentence, String... options) {
        out.getBuffer().setLength(0);
        String[] args = new String[options.length + 1];
        args[0] = "explore";
        System.arraycopy(options, 0, args, 1, options.length);
        assertThat(main(args)).isNotZero();
        assertThat(out.toString().strip()).isEqualTo(sentence);
    }

    private int main(String... args) {
        return Main.run(new PrintWriter(out), new PrintWriter(out), args);
    }

    private int run(Object command, String... args) {
        CommandLine line = new CommandLine(command);
        line.setOut(new PrintWriter(out));
        int code = line.execute(args);
        line.getOut().flush();
        return code;
    }

    private static final class Deaf implements Decorator {
        @Override
        public <T> Behavior<T> decorate(String actor, Behavior<T> behavior) {
            if (!actor.equals("context")) {
                return behavior;
            }
            Behavior<Object> open = Behaviors.intercept(
                    () -> new BehaviorInterceptor<Object, T>(Object.class) {
                        @Override
                        @SuppressWarnings("unchecked")
                        public Behavior<T> aroundReceive(
                                TypedActorContext<Object> ctx, Object message, ReceiveTarget<T> target) {
                            return message.getClass().getSimpleName().equals("IoDone")
                                    ? Behaviors.same()
                                    : target.apply(ctx, (T) message);
                        }
                    },
                    behavior);
            return open.narrow();
        }
    }
}

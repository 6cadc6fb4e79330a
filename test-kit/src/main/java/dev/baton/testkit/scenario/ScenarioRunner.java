package dev.baton.testkit.scenario;

import dev.baton.context.Decorator;
import dev.baton.testkit.runtime.DeterministicRuntime;
import dev.baton.testkit.runtime.RuntimeOptions;
import java.util.List;
import org.apache.pekko.actor.typed.ActorSystem;
import org.jspecify.annotations.Nullable;

/** Plays scenarios with seeds, one after another, on one deterministic runtime. */
public final class ScenarioRunner implements AutoCloseable {
    /** Probability of an early timer at a step, for scenarios that want them. */
    private static final double EARLY = 0.02;

    private final DeterministicRuntime runtime =
            new DeterministicRuntime(1, RuntimeOptions.DEFAULT.withEarlyTimers(EARLY));
    private final ActorSystem<Object> system = runtime.system(Stage.theatre(), "scenarios", World.DISPATCHERS);
    private final Recorders recorders = new Recorders(runtime, system);
    private final Decorator decorator;
    private long programs;
    private List<String> messages = List.of();

    /** Plays with Baton's actors as they are. */
    public ScenarioRunner() {
        this(Decorator.NONE);
    }

    /** Plays with core actors wrapped, for example such that break something on purpose. */
    public ScenarioRunner(Decorator decorator) {
        this.decorator = decorator;
    }

    /**
     * Plays one scenario.
     *
     * @return null if it passed, else the step and what was expected and got
     */
    public @Nullable String play(Scenario scenario, long seed) {
        Scenario.DeviceSpec d = scenario.device();
        String program = "p" + ++programs;
        messages = List.of();
        runtime.newProgram(seed, "/user/" + program, scenario.early());
        try (Stage stage = new Stage(runtime, system, program, d.sim(), d.settings(), decorator, recorders)) {
            String failure = play(scenario, stage);
            if (failure != null) {
                messages = stage.correspondence().last();
                return failure;
            }
        }
        runtime.assertNoForeignThreads();
        return null;
    }

    private @Nullable String play(Scenario scenario, Stage stage) {
        try {
            new ScenarioRun(scenario, stage).play();
        } catch (Mismatch m) {
            return m.getMessage();
        } catch (ScenarioError e) {
            throw new ScenarioError(scenario.source() + ": " + e.getMessage());
        }
        List<String> violations = stage.control().violations();
        if (!violations.isEmpty()) {
            return "the device was misused: " + violations;
        }
        RuntimeException heard = recorders.failure();
        if (heard != null) {
            return "hearing an answer threw " + heard;
        }
        return runtime.failures().isEmpty() ? null : "a step threw: " + runtime.failures();
    }

    /** The steps and messages before the failure of the last play, oldest first; empty if it passed. */
    public List<String> messages() {
        return messages;
    }

    /** The last things that the actors of the last play did. */
    public List<String> trace() {
        return runtime.trace();
    }

    /** A hash of all that happened in the last play. */
    public long traceHash() {
        return runtime.traceHash();
    }

    @Override
    public void close() {
        runtime.terminate(system);
        runtime.close();
    }
}

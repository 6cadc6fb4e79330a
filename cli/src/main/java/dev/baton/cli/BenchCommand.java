package dev.baton.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.baton.benchmarks.Bench;
import dev.baton.benchmarks.Benches;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Measures Baton's own cost. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        description = {
            "Measures Baton's own cost: each value with a baseline from the same run.",
            "Keep the machine quiet meanwhile."
        })
final class BenchCommand implements Callable<Integer> {
    private static final String ROW = "%-24s %14.2f %-7s %14.2f %8.3f   %s %.3f%s%n";

    private final ObjectMapper json = new ObjectMapper();

    @Spec
    private CommandSpec spec;

    @Parameters(arity = "0..*", paramLabel = "NAME", description = "Benchmarks to run; all if none is named.")
    private List<String> names;

    @Option(names = "--json", description = "One JSON object for each line.")
    private boolean asJson;

    @Option(names = "--short", description = "Only to see that it works; the figures mean nothing.")
    private boolean brief;

    @Option(names = "--list", description = "Lists the names.")
    private boolean list;

    @SuppressWarnings("NullAway.Init") // picocli fills them in
    BenchCommand() {}

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        Benches benches = new Benches();
        if (list) {
            benches.names().forEach(out::println);
            return 0;
        }
        if (!asJson) {
            out.printf("%-24s %14s %-7s %14s %8s   %s%n", "bench", "value", "unit", "baseline", "ratio", "goal");
        }
        try {
            benches.run(names == null ? List.of() : names, brief ? Bench.Effort.SHORT : Bench.Effort.FULL, line -> {
                print(out, line);
                out.flush();
            });
        } catch (IllegalArgumentException e) {
            throw new UserError(String.valueOf(e.getMessage()));
        }
        return 0;
    }

    private void print(PrintWriter out, Bench.Line line) {
        if (!asJson) {
            out.printf(
                    Locale.ROOT,
                    ROW,
                    line.bench(),
                    line.value(),
                    line.unit(),
                    line.baseline(),
                    line.ratio(),
                    line.atMost() ? "at most" : "at least",
                    line.goal(),
                    line.met() ? "" : "  missed");
            return;
        }
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("bench", line.bench());
        object.put("value", line.value());
        object.put("unit", line.unit());
        object.put("baseline", line.baseline());
        object.put("ratio", line.ratio());
        try {
            out.println(json.writeValueAsString(object));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}

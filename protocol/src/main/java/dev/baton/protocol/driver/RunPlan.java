package dev.baton.protocol.driver;

import dev.baton.protocol.CallableSpec;
import dev.baton.protocol.RunId;
import java.util.List;

/**
 * What a driver is told of a run when an attempt begins.
 *
 * @param run its id
 * @param name the client's name for it
 * @param callable what it runs
 * @param attempt counted from 1
 * @param arguments resolved arguments, in order of the signature
 * @param exclusive whether diagnostics are on
 * @param early whether other runs are live beside it
 */
public record RunPlan(
        RunId run,
        String name,
        CallableSpec callable,
        int attempt,
        List<PlannedArgument> arguments,
        boolean exclusive,
        boolean early) {
    public RunPlan {
        arguments = List.copyOf(arguments);
    }
}

package dev.baton.cli.chain;

/**
 * How a chain with control flow is run.
 *
 * @param maxSteps runs that are submitted; those behind the last one that is needed only hand the result on
 * @param tolerance largest residual that is small enough
 * @param kernelNanos time of one step on the device
 * @param prepareNanos time of one preparation
 * @param memoryBytes memory of the device
 */
public record ControlOptions(
        int maxSteps, int depth, double tolerance, long kernelNanos, long prepareNanos, long memoryBytes) {}

package dev.baton.cli.chain;

/**
 * How a chain is run.
 *
 * @param kernelNanos time of one kernel on the device
 * @param prepareNanos time of one preparation
 * @param serial one run at a time
 * @param memoryBytes memory of the device
 */
public record ChainOptions(
        int runs, int depth, double add, long kernelNanos, long prepareNanos, boolean serial, long memoryBytes) {}

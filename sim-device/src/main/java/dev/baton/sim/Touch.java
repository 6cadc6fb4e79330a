package dev.baton.sim;

/**
 * Device memory that a run's kernel touched.
 *
 * @param task the task, counted from 0
 * @param argument the task's argument, counted from 0
 * @param written whether it was written; else read
 * @param address first byte
 * @param bytes how many
 */
public record Touch(int task, int argument, boolean written, long address, long bytes) {}

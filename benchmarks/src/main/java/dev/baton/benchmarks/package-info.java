/** Benchmarks: each value with its baseline from the same run. */
@org.jspecify.annotations.NullMarked
package dev.baton.benchmarks;

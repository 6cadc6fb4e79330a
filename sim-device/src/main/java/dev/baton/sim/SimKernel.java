package dev.baton.sim;

/** The code of a kernel. What it throws is its run's fault. */
@FunctionalInterface
public interface SimKernel {
    void run(KernelCall call);
}

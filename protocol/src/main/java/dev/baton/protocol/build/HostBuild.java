package dev.baton.protocol.build;

/** User code run on the host while a run is prepared. It runs again from its start each time the run is prepared. */
@FunctionalInterface
public interface HostBuild {
    /**
     * Composes the run's tasks.
     *
     * @throws Exception whatever it throws is latched as the attempt's failure unless one was latched before (B6)
     */
    void build(BuildContext context) throws Exception;
}

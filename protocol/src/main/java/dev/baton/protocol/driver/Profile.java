package dev.baton.protocol.driver;

/** The named profiles of DESIGN section 7. */
public enum Profile {
    /** Both early forms. */
    JOINED("joined"),
    /** Early preparation, no joined launch. */
    PREPARE_ONLY("prepare-only"),
    /** The graph is built on the device. */
    NO_BUILD("no-build"),
    /** One run at a time. */
    SERIAL("serial");

    private final String label;

    Profile(String label) {
        this.label = label;
    }

    /** The name as people write it. */
    public String label() {
        return label;
    }
}

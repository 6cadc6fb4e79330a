package dev.baton.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The short form works; no time is asserted. */
class ElementReadTest {
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void bothWalksEndAtTheSameElement(boolean fenced) throws Exception {
        ElementRead.Result r = ElementRead.measure(new ElementRead.Case("short", 1 << 10, fenced, 5000, 3));
        assertThat(r.value()).isPositive();
        assertThat(r.baseline()).isPositive();
        assertThat(r.check()).isBetween(0L, (1L << 10) - 1);
    }
}

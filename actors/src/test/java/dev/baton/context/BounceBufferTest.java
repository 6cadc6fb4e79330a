package dev.baton.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.protocol.driver.HostMemory;
import org.junit.jupiter.api.Test;

class BounceBufferTest {
    private final BounceBuffer bounce = new BounceBuffer();

    @Test
    void oneCallAfterTheOtherUsesTheSameMemory() {
        HostMemory first = bounce.of(100);
        assertThat(bounce.of(16 << 10)).isSameAs(first);
        assertThat(bounce.of(1)).isSameAs(first);
    }

    @Test
    void itGrowsToTheNextPowerOfTwo() {
        assertThat(bounce.of(1).size()).isEqualTo(16 << 10);
        assertThat(bounce.of((16 << 10) + 1).size()).isEqualTo(32 << 10);
        assertThat(bounce.of(BounceBuffer.MOST_BYTES).size()).isEqualTo(BounceBuffer.MOST_BYTES);
    }

    @Test
    void memoryThatADriverMayStillTouchIsNotUsedAgain() {
        HostMemory first = bounce.of(100);
        bounce.leave();
        assertThat(bounce.of(100)).isNotSameAs(first);
    }
}

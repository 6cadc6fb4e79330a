package dev.baton.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.protocol.driver.Profile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SimSettingsTest {
    @ParameterizedTest
    @EnumSource(Profile.class)
    void profilesAreDeclaredAsTheyAreNamed(Profile profile) {
        assertThat(SimSettings.defaults().profile(profile).capabilities().profile())
                .isEqualTo(profile);
    }

    @Test
    void whatIsWrongIsDeclaredAsItIsAndOpensAllTheSame() {
        SimSettings wrong =
                SimSettings.defaults().maxDepth(0).alignment(3).memory(0).concurrentPrepare(false);
        SimDevice device = new SimDriver(wrong).open(new StepRuntime());
        assertThat(device.capabilities().errors()).hasSize(4);
    }

    @Test
    void settingsAreImmutable() {
        SimSettings one = SimSettings.defaults();
        assertThat(one.memory(7).maxDepth(3).capabilities().memoryBytes()).isEqualTo(7);
        assertThat(one.capabilities().memoryBytes()).isEqualTo(16_777_216);
    }
}

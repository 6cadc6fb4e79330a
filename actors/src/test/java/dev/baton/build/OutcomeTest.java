package dev.baton.build;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OutcomeTest {
    @Test
    void isPendingUntilTheFirstOutcome() {
        Outcome o = new Outcome();
        assertThat(o.isPending()).isTrue();
        assertThat(o.produced()).isTrue();
        assertThat(o.isPending()).isFalse();
    }

    @Test
    void theFirstOutcomeStands() {
        Outcome o = new Outcome();
        assertThat(o.failed(Bench.run("A"), "why")).isTrue();
        assertThat(o.produced()).isFalse();
        assertThat(o.failed(Bench.run("C"), "other")).isFalse();
        assertThat(o.unproven(Bench.run("A"), "other")).isFalse();
        assertThat(o.state()).isEqualTo(new Outcome.State.Failed(Bench.run("A"), "why"));
    }

    @Test
    void anUnprovenEndStandsToo() {
        Outcome o = new Outcome();
        assertThat(o.unproven(Bench.run("A"), "lost")).isTrue();
        assertThat(o.produced()).isFalse();
        assertThat(o.state()).isEqualTo(new Outcome.State.Unproven(Bench.run("A"), "lost"));
    }
}

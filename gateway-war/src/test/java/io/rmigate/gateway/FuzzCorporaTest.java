package io.rmigate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.audit.AuditTarget;
import io.rmigate.gateway.config.ConfigurationTarget;
import io.rmigate.gateway.edge.post.PostDoorTarget;
import io.rmigate.gateway.login.LoginTarget;
import io.rmigate.gateway.policy.rule.LearnedTarget;
import io.rmigate.gateway.scan.ScannerTarget;
import io.rmigate.testing.FuzzCorpus;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What each target for fuzzing has seen before, and what little damage makes of it. */
class FuzzCorporaTest {
  private static final long SEED = 20_261_122;
  private static final int MUTATED = 1_000;

  @ParameterizedTest
  @ValueSource(
      classes = {
        ScannerTarget.class,
        ConfigurationTarget.class,
        PostDoorTarget.class,
        AuditTarget.class,
        LearnedTarget.class,
        LoginTarget.class
      })
  void everyInputIsTaken(Class<?> target) throws ReflectiveOperationException {
    try (FuzzCorpus corpus = FuzzCorpus.of(target)) {
      assertThat(corpus.replay()).isPositive();
      corpus.mutate(SEED, MUTATED);
    }
  }
}

package io.rmigate.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.client.pac.PacTarget;
import io.rmigate.client.socks.SocksTarget;
import io.rmigate.client.transport.http.HttpTarget;
import io.rmigate.client.transport.websocket.WebSocketTarget;
import io.rmigate.testing.FuzzCorpus;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What each target for fuzzing has seen before, and what little damage makes of it. */
class FuzzCorporaTest {
  private static final long SEED = 20_261_122;
  private static final int MUTATED = 10_000;

  @ParameterizedTest
  @ValueSource(
      classes = {
        PreambleTarget.class,
        FramesTarget.class,
        PostTarget.class,
        CodedTarget.class,
        HttpTarget.class,
        WebSocketTarget.class,
        PacTarget.class,
        SocksTarget.class
      })
  void everyInputIsTaken(Class<?> target) throws ReflectiveOperationException {
    try (FuzzCorpus corpus = FuzzCorpus.of(target)) {
      assertThat(corpus.replay()).isPositive();
      corpus.mutate(SEED, MUTATED);
    }
  }
}

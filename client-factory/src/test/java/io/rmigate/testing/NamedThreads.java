package io.rmigate.testing;

import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

/** The threads of this JVM by their names. */
public final class NamedThreads {
  private NamedThreads() {}

  /** Waits until all have ended whose names begin so. */
  public static void awaitEnd(String prefix) {
    await()
        .untilAsserted(
            () ->
                assertThat(Thread.getAllStackTraces().keySet())
                    .extracting(Thread::getName)
                    .noneMatch(name -> name.startsWith(prefix)));
  }
}

package io.rmigate.client.mediator;

import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.client.jvm.ThreadShortage;
import io.rmigate.testing.NamedThreads;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The thread that sees to a new link for what is held. */
class RedeclarationTest {
  private final AtomicInteger links = new AtomicInteger();
  private final Redeclaration redeclaration =
      new Redeclaration(
          unbounded -> {
            links.incrementAndGet();
            return null;
          },
          () -> links.get() == 0);

  @Test
  void theNextOneBeginsAnewAfterAThreadCouldNotBeStarted() {
    try (ThreadShortage shortage = new ThreadShortage("rmigate-redeclare")) {
      redeclaration.run();
      assertThat(shortage.refused()).isEqualTo(1);
    }
    assertThat(links).hasValue(0);

    redeclaration.run();
    await().until(() -> links.get() == 1);
    NamedThreads.awaitEnd("rmigate-redeclare");
  }
}

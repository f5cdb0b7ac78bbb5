package io.rmigate.gateway.edge;

import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PausedThreadsTest {
  private static final long NEVER = TimeUnit.HOURS.toNanos(1);

  private final PausedThreads threads = new PausedThreads();

  @Test
  void ofOnePrincipalOnlyAFewWait() {
    for (int i = 0; i < PausedThreads.QUOTA.each(); i++) {
      assertThat(threads.begin("mallory")).isTrue();
    }
    assertThat(threads.rest("mallory", NEVER)).isFalse();
    assertThat(threads.begin("ann")).isTrue();
    threads.end("mallory");
    assertThat(threads.begin("mallory")).isTrue();
  }

  @Test
  void ofAllOnlySomeWait() {
    for (int i = 0; i < PausedThreads.QUOTA.total(); i++) {
      assertThat(threads.begin("principal " + i)).isTrue();
    }
    assertThat(threads.rest("ann", NEVER)).isFalse();
    threads.end("principal 0");
    assertThat(threads.begin("ann")).isTrue();
  }

  @Test
  void whoHasWaitedGivesItsPlaceBackInterruptedOrNot() throws Exception {
    for (int i = 0; i < 2 * PausedThreads.QUOTA.total(); i++) {
      assertThat(threads.rest("ann", 1)).isTrue();
    }
    Thread waiting = new Thread(() -> threads.rest("ann", NEVER));
    waiting.start();
    await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
    waiting.interrupt();
    waiting.join();
    for (int i = 0; i < PausedThreads.QUOTA.each(); i++) {
      assertThat(threads.begin("ann")).isTrue();
    }
  }
}

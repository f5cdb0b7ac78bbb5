package io.rmigate.gateway.login;

import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoginTurnsTest {
  private final Semaphore hashing = new Semaphore(0);
  private final LoginTurns turns = new LoginTurns(hashing, Duration.ofMinutes(1));
  private final List<Thread> waiting = new ArrayList<>();

  @AfterEach
  void end() throws Exception {
    for (Thread thread : waiting) {
      thread.interrupt();
      thread.join();
    }
  }

  private void wait(String owner, int times) {
    int before = hashing.getQueueLength();
    for (int i = 0; i < times; i++) {
      Thread thread = new Thread(() -> turns.begin(owner));
      thread.start();
      waiting.add(thread);
    }
    await().until(() -> hashing.getQueueLength() == before + times);
  }

  @Test
  void howeverManyWaitFromOneAddressOthersMayWaitToo() {
    wait("192.0.2.1", 48);
    assertThat(turns.begin("192.0.2.1")).isFalse();
    wait("192.0.2.2", 12);
    assertThat(turns.begin("192.0.2.2")).isFalse();
    wait("192.0.2.3", 3);
    assertThat(turns.begin("192.0.2.3")).isFalse();
    wait("192.0.2.4", 1);
    assertThat(turns.begin("192.0.2.5")).as("64 wait").isFalse();
  }

  @Test
  void whoHasHadItsTurnLeavesItsPlaceToOthers() throws Exception {
    wait("192.0.2.1", 48);
    hashing.release(48);
    for (Thread thread : waiting) {
      thread.join();
    }
    wait("192.0.2.1", 48);
  }

  @Test
  void ofLoginsThatAreLockedOutEachAddressHasOneAtATime() throws Exception {
    Thread first = new Thread(() -> turns.beginLocked("192.0.2.1"));
    waiting.add(first);
    first.start();
    await().until(() -> hashing.getQueueLength() == 1);
    assertThat(turns.beginLocked("192.0.2.1")).as("while the first waits").isFalse();
    wait("192.0.2.1", 1);

    hashing.release(3);
    first.join();
    assertThat(turns.beginLocked("192.0.2.1")).as("while the first is hashed").isFalse();
    assertThat(turns.beginLocked("192.0.2.2")).as("at another address").isTrue();
    turns.endLocked("192.0.2.1");
    assertThat(turns.beginLocked("192.0.2.1")).isTrue();
  }

  @Test
  void aLoginThatIsLockedOutAndFindsNoProcessorLeavesItsPlace() {
    LoginTurns hurried = new LoginTurns(hashing, Duration.ofMillis(1));

    assertThat(hurried.beginLocked("192.0.2.1")).isFalse();
    hashing.release();
    assertThat(hurried.beginLocked("192.0.2.1")).isTrue();
  }
}

package io.rmigate.gateway.relay.address;

import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Names that hang do not keep other principals from having theirs looked up. */
class NameLookupsTest {
  private static final int WAITING = (int) NameLookups.WAITING.total();

  private final NameLookups lookups = new NameLookups();
  private final CountDownLatch answered = new CountDownLatch(1);
  private final AtomicInteger hanging = new AtomicInteger();
  private final AtomicInteger over = new AtomicInteger();

  @AfterEach
  void end() {
    answered.countDown();
    lookups.close();
  }

  private void hang() {
    hanging.incrementAndGet();
    try {
      answered.await();
    } catch (InterruptedException end) {
      return;
    }
    over.incrementAndGet();
  }

  private void flood(Object sharer, int many) {
    for (int i = 0; i < many; i++) {
      lookups.execute(sharer, this::hang);
    }
  }

  private void assertIsLookedUp(Object sharer) {
    AtomicInteger done = new AtomicInteger();
    lookups.execute(sharer, done::incrementAndGet);
    await().until(() -> done.get() == 1);
  }

  @Test
  void nobodyHasMoreThanAFewThreads() {
    flood("greedy", 1000);
    await().until(() -> hanging.get() == NameLookups.RUNNING.each());
    assertThat(lookups.waiting()).isEqualTo(1000 - NameLookups.RUNNING.each());
    assertIsLookedUp("honest");
    assertThat(hanging).hasValue((int) NameLookups.RUNNING.each());
  }

  @Test
  void severalTogetherDoNotHaveAllThreads() {
    for (int greedy = 1; greedy <= 10; greedy++) {
      flood(greedy, 100);
    }
    await().until(() -> hanging.get() >= NameLookups.RUNNING.total() - 2);
    assertIsLookedUp("honest");
    assertThat(hanging.get()).isLessThan((int) NameLookups.RUNNING.total());
  }

  @Test
  void everythingIsLookedUpOnceThereAreAnswers() {
    for (int sharer = 1; sharer <= 100; sharer++) {
      flood(sharer, 20);
    }
    await().until(() -> hanging.get() == NameLookups.RUNNING.total());
    answered.countDown();
    await().until(() -> over.get() == 2000);
    assertThat(lookups.waiting()).isZero();
  }

  @Test
  void whatWaitsIsBoundedAndSomeRoomIsLeftForOthers() {
    assertThatThrownBy(() -> flood("greedy", WAITING))
        .isInstanceOf(RejectedExecutionException.class)
        .hasMessage("too many names wait for the name service");
    assertThat(lookups.waiting()).isEqualTo(WAITING / 2);
    assertThatThrownBy(() -> flood("another", WAITING))
        .isInstanceOf(RejectedExecutionException.class);
    assertThat(lookups.waiting()).isEqualTo(WAITING * 3 / 4);
    assertIsLookedUp("honest");
  }

  @Test
  void sharersTakeTurns() throws Exception {
    List<String> order = Collections.synchronizedList(new ArrayList<>());
    for (int other = 1; other <= 100; other++) {
      flood(other, 1); // all threads
    }
    for (String each : List.of("a", "a", "a", "b")) {
      lookups.execute(each, () -> order.add(each));
    }
    answered.countDown();
    await().until(() -> order.size() == 4);
    assertThat(order.subList(0, 3)).contains("b");
  }

  @Test
  void aFailureOfOneHarmsNoOther() {
    for (int i = 0; i < 100; i++) {
      lookups.execute(
          "anybody",
          () -> {
            throw new StackOverflowError("wanted by the test");
          });
    }
    assertIsLookedUp("anybody");
  }
}

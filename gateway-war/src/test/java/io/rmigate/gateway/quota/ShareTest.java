package io.rmigate.gateway.quota;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class ShareTest {
  private final Share all = new Share(Quota.half(100));

  /** Who takes all that it gets, one byte after the other. */
  private static void takeAll(Share room) {
    while (room.take(1)) {
      // as often as that goes
    }
  }

  @Test
  void nobodyTakesMoreThanHalfOfTheRoom() {
    Share ann = all.part();
    assertThat(ann.take(51)).isFalse();
    assertThat(ann.take(50)).isTrue();
    assertThat(ann.take(1)).isFalse();
    assertThat(all.taken()).isEqualTo(50);
  }

  @Test
  void howeverManyTakeAllThatTheyGetSomethingIsLeftForTheNext() {
    for (int greedy = 1; greedy <= 6; greedy++) {
      takeAll(all.part());
    }
    assertThat(all.taken()).isBetween(80L, 99L); // a half, a quarter, an eighth, and so on
    assertThat(all.part().take(1)).isTrue();
  }

  @Test
  void whoHasMoreThanIsLeftGetsNoMoreUntilOthersHaveGivenBack() {
    Share ann = all.part();
    Share bob = all.part();
    assertThat(ann.take(40)).isTrue();
    assertThat(bob.take(30)).isTrue();
    assertThat(ann.take(1)).isFalse();
    bob.release(30);
    assertThat(ann.take(10)).isTrue();
    assertThat(all.taken()).isEqualTo(50);
  }

  @Test
  void whatIsRefusedTakesNoRoomAnywhere() {
    Share ann = all.part();
    assertThat(all.take(70)).isTrue();
    assertThat(all.take(31)).isFalse();
    assertThat(ann.take(16)).isFalse();
    assertThat(ann.taken()).isZero();
    assertThat(all.taken()).isEqualTo(70);
    assertThat(ann.take(15)).isTrue();
    ann.release(15);
    assertThat(all.taken()).isEqualTo(70);
    assertThat(ann.taken()).isZero();
  }

  @Test
  void whatOneHolderIsRefusedTakesNothingFromAnother() {
    Share ann = all.part();
    Share bob = all.part();
    assertThat(ann.take(40)).isTrue();
    AtomicBoolean over = new AtomicBoolean();
    CompletableFuture<Integer> permitted =
        CompletableFuture.supplyAsync(
            () -> {
              int count = 0;
              while (!over.get()) {
                count += bob.take(60) ? 1 : 0; // more than half
              }
              return count;
            });
    int refused = 0;
    for (int i = 0; i < 1_000_000; i++) {
      if (ann.take(10)) {
        ann.release(10);
      } else {
        refused++;
      }
    }
    over.set(true);
    assertThat(permitted.join()).isZero();
    assertThat(refused).isZero();
    assertThat(all.taken()).isEqualTo(40);
    assertThat(bob.taken()).isZero();
  }
}

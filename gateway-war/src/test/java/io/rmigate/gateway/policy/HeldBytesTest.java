package io.rmigate.gateway.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HeldBytesTest {
  private final HeldBytes all = new HeldBytes(100);

  /** Who takes all that it gets, one byte after the other. */
  private static void takeAll(HeldBytes room) {
    while (room.take(1)) {
      // as often as that goes
    }
  }

  @Test
  void nobodyTakesMoreThanHalfOfTheRoom() {
    HeldBytes ann = all.share();
    assertThat(ann.take(51)).isFalse();
    assertThat(ann.take(50)).isTrue();
    assertThat(ann.take(1)).isFalse();
    assertThat(all.now()).isEqualTo(50);
  }

  @Test
  void howeverManyTakeAllThatTheyGetSomethingIsLeftForTheNext() {
    for (int greedy = 1; greedy <= 6; greedy++) {
      takeAll(all.share());
    }
    assertThat(all.now()).isBetween(80L, 99L); // a half, a quarter, an eighth, and so on
    assertThat(all.share().take(1)).isTrue();
  }

  @Test
  void whoHasMoreThanIsLeftGetsNoMoreUntilOthersHaveGivenBack() {
    HeldBytes ann = all.share();
    HeldBytes bob = all.share();
    assertThat(ann.take(40)).isTrue();
    assertThat(bob.take(30)).isTrue();
    assertThat(ann.take(1)).isFalse();
    bob.giveBack(30);
    assertThat(ann.take(10)).isTrue();
    assertThat(all.now()).isEqualTo(50);
  }

  @Test
  void whatIsRefusedTakesNoRoomAnywhere() {
    HeldBytes ann = all.share();
    assertThat(all.take(70)).isTrue();
    assertThat(all.take(31)).isFalse();
    assertThat(ann.take(16)).isFalse();
    assertThat(ann.now()).isZero();
    assertThat(all.now()).isEqualTo(70);
    assertThat(ann.take(15)).isTrue();
    ann.giveBack(15);
    assertThat(all.now()).isEqualTo(70);
    assertThat(ann.now()).isZero();
  }
}

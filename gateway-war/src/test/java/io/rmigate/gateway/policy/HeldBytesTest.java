package io.rmigate.gateway.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HeldBytesTest {
  private final HeldBytes all = new HeldBytes(100);

  @Test
  void nobodyTakesMoreThanHalfOfTheRoom() {
    HeldBytes ann = all.share();
    HeldBytes bob = all.share();
    assertThat(ann.take(51)).isFalse();
    assertThat(ann.take(50)).isTrue();
    assertThat(ann.take(1)).isFalse();
    assertThat(bob.take(50)).isTrue();
    assertThat(all.now()).isEqualTo(100);
  }

  @Test
  void whatIsRefusedTakesNoRoomAnywhere() {
    HeldBytes ann = all.share();
    assertThat(all.take(70)).isTrue();
    assertThat(ann.take(40)).isFalse();
    assertThat(ann.now()).isZero();
    assertThat(all.now()).isEqualTo(70);
    ann.take(30);
    ann.giveBack(30);
    assertThat(all.now()).isEqualTo(70);
    assertThat(ann.now()).isZero();
  }
}

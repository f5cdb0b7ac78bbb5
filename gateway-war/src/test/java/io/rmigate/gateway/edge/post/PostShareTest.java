package io.rmigate.gateway.edge.post;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What one principal may take of what all have. */
class PostShareTest {
  private final AtomicLong all = new AtomicLong();
  private final PostShare share = new PostShare(all, 100);

  @Test
  void nobodyHasMoreThanHalf() {
    assertThat(share.charge(50)).isTrue();
    assertThat(share.charge(1)).isFalse();
    assertThat(all).hasValue(50);
  }

  @Test
  void nobodyHasMoreThanIsLeft() {
    all.set(60);
    assertThat(share.charge(21)).isFalse();
    assertThat(all).hasValue(60);
    assertThat(share.charge(20)).isTrue();
    assertThat(share.charge(1)).isFalse();
    assertThat(all).hasValue(80);
  }

  @Test
  void howeverManyTakeAllThatTheyGetSomethingIsLeftForTheNext() {
    for (int greedy = 1; greedy <= 6; greedy++) {
      PostShare one = new PostShare(all, 100);
      while (one.charge(1)) {
        // as often as that goes
      }
    }
    assertThat(all.get()).isBetween(80L, 99L); // a half, a quarter, an eighth, and so on
    assertThat(share.charge(1)).isTrue();
  }

  @Test
  void whatIsGivenBackCanBeTakenByOthers() {
    PostShare other = new PostShare(all, 100);
    assertThat(share.charge(50)).isTrue();
    assertThat(other.charge(26)).isFalse();
    share.release(50);
    assertThat(other.charge(50)).isTrue();
    assertThat(all).hasValue(50);
  }

  /** Whoever sends heads only has a share all the same, and no second one beside it. */
  @Test
  void aShareIsNeededAsLongAsABodyComes() {
    share.bodyBegun();
    assertThat(share.isEmpty()).isFalse();
    share.bodyEnded();
    assertThat(share.isEmpty()).isTrue();
  }
}

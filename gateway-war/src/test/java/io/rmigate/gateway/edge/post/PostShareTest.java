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
    assertThat(share.charge(41)).isFalse();
    assertThat(share.charge(40)).isTrue();
    assertThat(all).hasValue(100);
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

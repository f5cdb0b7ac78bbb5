package io.rmigate.gateway.scan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** Sizes of the objects of a long stream, of which not all are kept. */
class UnfoldedSizesTest {
  private static final int FIRST = 0x7E0000;
  private static final int COUNT = 2_000_000;

  private final UnfoldedSizes unfolding = new UnfoldedSizes(FIRST);
  private final int[] sizes = new Random(1).ints(COUNT, 1, 1000).toArray();

  private void putAll() {
    for (int i = 0; i < COUNT; i++) {
      unfolding.put(FIRST + i, sizes[i]);
    }
  }

  @Test
  void noObjectIsTakenToBeSmallerThanItIs() {
    unfolding.keepLess();
    putAll();
    unfolding.put(FIRST + 7, 5000); // it is over long after it began
    sizes[7] = 5000;
    for (int i = 0; i < COUNT; i++) {
      assertThat(unfolding.of(FIRST + i)).isGreaterThanOrEqualTo(sizes[i]);
    }
    for (int i = COUNT - 250_000; i < COUNT; i++) {
      assertThat(unfolding.of(FIRST + i)).isEqualTo(sizes[i]);
    }
    assertThat(unfolding.of(FIRST + COUNT)).isEqualTo(1);
  }

  /** As the rows of a table refer to the names of its columns, which stand beside the first. */
  @Test
  void whatHasNothingInItStaysSmallBesideWhatIsLarge() {
    unfolding.keepLess();
    sizes[3] = 1;
    sizes[4] = 100_000;
    putAll();
    assertThat(unfolding.of(FIRST + 3)).isEqualTo(1);
    assertThat(unfolding.of(FIRST + 4)).isEqualTo(100_000);
  }

  @Test
  void anyNumberOfObjectsTakesTwoMegabytes() {
    unfolding.keepLess();
    putAll();
    assertThat(unfolding.bytes()).isLessThan(2 << 20).isGreaterThan(1 << 19);
    unfolding.clear();
    assertThat(unfolding.bytes()).isZero();
    assertThat(unfolding.of(FIRST)).isEqualTo(1);
  }

  @Test
  void ofAMessageThatIsKeptAMillionAreExact() {
    putAll();
    for (int i = COUNT - 1_000_000; i < COUNT; i++) {
      assertThat(unfolding.of(FIRST + i)).isEqualTo(sizes[i]);
    }
  }
}

package io.rmigate.protocol.coding;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CompressibilityCheckTest {
  private static final int BATCH = 16 * 1024;
  private final CompressibilityCheck watch = new CompressibilityCheck();

  @Test
  void aWindowOfDataMustHaveFailedToShrinkBeforeAnythingIsSpared() {
    assertThat(coded(CompressibilityCheck.PATIENCE_BYTES / BATCH, 1.0))
        .isEqualTo(CompressibilityCheck.PATIENCE_BYTES);
    assertThat(watch.admits(BATCH)).isFalse();
  }

  @Test
  void oneBatchThatShrinksIsReasonToGoOn() {
    for (int i = 0; i < 100; i++) {
      assertThat(coded(2, 1.0)).isEqualTo(2 * BATCH);
      assertThat(coded(1, 0.9)).isEqualTo(BATCH);
    }
  }

  @Test
  void aPauseEndsAndDoublesUpToALimit() {
    coded(3, 1.0);
    long pause = CompressibilityCheck.FIRST_PAUSE_BYTES;
    for (int i = 0; i < 8; i++) {
      assertThat(plainBytesUntilTried()).isEqualTo(pause);
      watch.onCoded(BATCH, BATCH);
      pause = Math.min(2 * pause, CompressibilityCheck.LONGEST_PAUSE_BYTES);
    }
    assertThat(pause).isEqualTo(CompressibilityCheck.LONGEST_PAUSE_BYTES);
  }

  @Test
  void aTryThatSucceedsEndsThePauses() {
    coded(3, 1.0);
    plainBytesUntilTried();
    assertThat(watch.onCoded(BATCH, BATCH / 2)).isFalse();
    assertThat(coded(2, 1.0)).isEqualTo(2 * BATCH);
  }

  @Test
  void smallBatchesAreAlwaysTriedAndSayNothing() {
    coded(3, 1.0);
    for (int i = 0; i < 1_000; i++) {
      assertThat(watch.admits(CompressibilityCheck.LARGE_BYTES - 1)).isTrue();
      assertThat(
              watch.onCoded(CompressibilityCheck.LARGE_BYTES - 1, CompressibilityCheck.LARGE_BYTES))
          .isFalse();
    }
    assertThat(watch.admits(BATCH)).as("the pause goes on").isFalse();
  }

  @Test
  void theContextIsWorthlessOnceAPauseBegins() {
    assertThat(
            watch.onCoded(
                CompressibilityCheck.PATIENCE_BYTES - 1, CompressibilityCheck.PATIENCE_BYTES))
        .isFalse();
    assertThat(watch.onCoded(BATCH, BATCH)).isTrue();
  }

  /** Offers batches; returns the bytes that were admitted. */
  private long coded(int batches, double ratio) {
    long admitted = 0;
    for (int i = 0; i < batches; i++) {
      if (watch.admits(BATCH)) {
        admitted += BATCH;
        watch.onCoded(BATCH, (int) (BATCH * ratio));
      }
    }
    return admitted;
  }

  private long plainBytesUntilTried() {
    long plain = 0;
    while (!watch.admits(BATCH)) {
      plain += BATCH;
    }
    return plain;
  }
}

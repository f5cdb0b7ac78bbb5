package io.rmigate.gateway.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.protocol.jrmp.Damage;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * T05: {@link ScannerComparison} for seconds, always with the same streams. {@code gateway-war/fuzz
 * scanner} does it for millions, with others each time.
 */
class ScannerDifferenceTest {
  private static final int ROUNDS = 8_000;
  private static final long SEED = 20_261_122;

  /** Damage leaves few streams clean; in those that it leaves the descriptors are whole. */
  @Test
  void theJdkSeesNoOtherClassesInDamagedStreams() {
    List<byte[]> seeds = ScannerFuzz.seeds();
    Random random = new Random(SEED);
    // One in 21 on average: damaged unframed data are seldom clean, for no mark tells their end.
    compare(() -> Damage.of(seeds, random), ROUNDS / 25);
  }

  @Test
  void theJdkSeesNoOtherClassesInHonestDescriptorsWithAnyData() {
    RandomStreams streams = new RandomStreams(new Random(SEED));
    ScannerComparison comparison = compare(streams::next, ROUNDS / 4);
    assertThat(comparison.acceptedWithReferences()).isGreaterThan(ROUNDS / 100);
    assertThat(comparison.unmarshalled()).isGreaterThan(ROUNDS / 100);
  }

  private static ScannerComparison compare(Supplier<byte[]> calls, int leastClean) {
    ScannerComparison comparison =
        new ScannerComparison(CorpusShapes.scanner(), CorpusShapes.sequences(), new Random(SEED));
    for (int round = 0; round < ROUNDS; round++) {
      comparison.compare(calls.get());
    }
    // Else they prove nothing.
    assertThat(comparison.clean()).isGreaterThan(leastClean);
    assertThat(comparison.accepted()).isGreaterThan(leastClean / 2);
    assertThat(comparison.completeThoughForgotten()).isGreaterThan(leastClean / 32);
    return comparison;
  }
}

package io.rmigate.gateway.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.protocol.jrmp.CallBytes;
import io.rmigate.protocol.jrmp.Damage;
import io.rmigate.protocol.jrmp.GraphCorpus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * T05: the scanner against the JDK's own reader with the real classes. Of what the scanner calls
 * clean, the JDK asks for no class that the scanner has not told of, and what it accepts ends for
 * both at the same byte. What is not clean is refused, so that nobody reads it.
 *
 * <p>The seed makes a failure repeatable. For millions of streams, and another seed each time:
 *
 * <pre>
 *  mvn -pl client-factory,soap-bridge,deploy/sample,gateway-war test -Dtest=ScannerDifferenceTest
 *      -Dsurefire.failIfNoSpecifiedTests=false -Drmigate.scan.rounds=5000000 -Drmigate.scan.seed=7
 * </pre>
 */
class ScannerDifferenceTest {
  private static final int ROUNDS = Integer.getInteger("rmigate.scan.rounds", 8_000);
  private static final long SEED = Long.getLong("rmigate.scan.seed", 20_261_122);
  private static final int LARGEST_SEED = 3000;

  /** Damage leaves few streams clean; in those that it leaves the descriptors are whole. */
  @Test
  void theJdkSeesNoOtherClassesInDamagedStreams() throws IOException {
    List<byte[]> seeds = new ArrayList<>();
    GraphCorpus.graphs()
        .forEach(
            (name, graph) -> {
              byte[] call = CallBytes.callWith(graph);
              if (call.length <= LARGEST_SEED && !name.equals("lambda")) {
                seeds.add(call);
              }
            });
    Random random = new Random(SEED);
    compare(() -> Damage.of(seeds, random), ROUNDS / 20);
  }

  @Test
  void theJdkSeesNoOtherClassesInHonestDescriptorsWithAnyData() throws IOException {
    RandomStreams streams = new RandomStreams(new Random(SEED));
    compare(streams::next, ROUNDS / 4);
  }

  private static void compare(Supplier<byte[]> calls, int leastClean) throws IOException {
    StreamScanner scanner = CorpusShapes.scanner();
    int clean = 0;
    int accepted = 0;
    for (int round = 0; round < ROUNDS; round++) {
      byte[] call = calls.get();
      ScanResult result = scanner.request(call, 0, call.length);
      if (!result.isClean(call.length) || call[0] != 0x50) {
        continue;
      }
      clean++;
      JdkReader.Outcome read = JdkReader.receive(call);
      accepted += read.endedWhereTheCallEnds() ? 1 : 0;
      Set<String> missed = new TreeSet<>(read.resolved());
      missed.removeAll(result.classes().stream().map(SeenClass::name).collect(Collectors.toSet()));
      assertThat(missed).as("round %d: %s", round, HexFormat.of().formatHex(call)).isEmpty();
    }
    // Else they prove nothing.
    assertThat(clean).isGreaterThan(leastClean);
    assertThat(accepted).isGreaterThan(leastClean / 2);
  }
}

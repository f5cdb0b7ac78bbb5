package io.rmigate.perf.papers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rmigate.perf.harness.Artefacts;
import io.rmigate.perf.link.LinkProfile;
import io.rmigate.perf.link.Traffic;
import io.rmigate.testing.Tier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The papers command's bench with real JVMs, over a link that costs no time; counts, no times.
 * Skipped where the gateway has not been built.
 */
@Tag(Tier.FULL)
class PapersIT {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Map<Contestant, Run> RUNS = new EnumMap<>(Contestant.class);
  private static Bench bench;

  @BeforeAll
  static void start() throws Exception {
    assumeTrue(
        Files.exists(ROOT.resolve("gateway-war/target/rmigate.war")), "gateway-war is not built");
    bench =
        Bench.start(
            Artefacts.of(ROOT, "papers-it"),
            Path.of(System.getProperty("java.home")),
            LinkProfile.parse("lan"),
            false);
  }

  @AfterAll
  static void stop() {
    if (bench != null) {
      bench.close();
    }
  }

  @Test
  void plainRmiNeedsTwoConnectionsAndItsAccountIsComplete() throws Exception {
    Run run = hello(Contestant.PLAIN);

    Traffic traffic = sum(run);
    assertThat(run.parts())
        .extracting(part -> part.phase().name())
        .containsExactly("lookup", "call", Run.TAIL);
    assertThat(traffic.connections()).isEqualTo(2);
    Share account = JrmpAccount.of(run.crossings()).values().stream().reduce(Share::plus).get();
    assertThat(account)
        .isEqualTo(new Share(traffic.exchanges(), traffic.upBytes(), traffic.downBytes()));
    // Two headers, lookup, dirty, call; and pings where the machine was slow.
    assertThat(traffic.exchanges()).isBetween(5, 8);
  }

  @Test
  void mediatorsNeedNoConnectionAndFewerRoundTrips() throws Exception {
    Run run = hello(Contestant.UNCOMPRESSED);

    assertThat(run.parts().get(0).phase().name()).isEqualTo(Run.LINK);
    assertThat(run.parts().get(0).traffic().connections()).isEqualTo(1);
    Traffic traffic = sum(run);
    assertThat(traffic.connections()).isZero();
    assertThat(traffic.exchanges()).isBetween(2, 3);
    Share account = FrameAccount.of(run.crossings()).values().stream().reduce(Share::plus).get();
    assertThat(account.upBytes()).isEqualTo(traffic.upBytes());
    assertThat(account.downBytes()).isEqualTo(traffic.downBytes());
  }

  @Test
  void aFirstLookupAndCallTakeAtMostAQuarterOfPlainRmisBytes() throws Exception {
    Traffic plain = sum(hello(Contestant.PLAIN));
    Traffic mediated = sum(hello(Contestant.COMPRESSED));
    assertThat(mediated.bytes() * 4).isLessThanOrEqualTo(plain.bytes());
  }

  @Test
  void compressionMakesItLess() throws Exception {
    Traffic uncompressed = sum(hello(Contestant.UNCOMPRESSED));
    Traffic compressed = sum(hello(Contestant.COMPRESSED));
    assertThat(compressed.bytes()).isLessThan(uncompressed.bytes() / 2);
  }

  /** The contestant's first run, which tests share because each only reads its traffic. */
  private static Run hello(Contestant contestant) throws Exception {
    if (!RUNS.containsKey(contestant)) {
      RUNS.put(contestant, bench.run(contestant, Workload.HELLO, 1));
    }
    return RUNS.get(contestant);
  }

  /** But for setting up the mediators' link. */
  private static Traffic sum(Run run) {
    return run.parts().stream()
        .filter(part -> !part.phase().name().equals(Run.LINK))
        .map(Run.Part::traffic)
        .reduce(Traffic.NONE, Traffic::plus);
  }
}

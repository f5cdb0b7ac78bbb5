package io.rmigate.gateway.container.cuts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.CountingRelay;
import io.rmigate.gateway.testing.GatewayKind;
import io.rmigate.gateway.testing.GatewayUnderTest;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.OpenGateway;
import io.rmigate.gateway.testing.TroubledRelay;
import java.time.Duration;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Links that freeze, dribble or die without a word. */
class FrozenLinksIT extends TroubledLinks {
  private static final Duration SHORTEST_FREEZE = Duration.ofSeconds(5);
  private static final Duration LONGEST_FREEZE = Duration.ofSeconds(20);

  private static final long A_HANDFUL_OF_CALLS = 8;

  @Test
  void callsGoOnAfterTheLinkWasFrozen() throws Exception {
    try (GatewayUnderTest gateway = start(GatewayKind.STANDALONE);
        TroubledRelay relay = TroubledRelay.to(gateway.uri().getPort());
        ChildJvm client = client(gateway.uri(), relay.port(), "")) {
      client.ask("go", Pattern.compile("^calling$"), SOON);
      long end = System.nanoTime() + LASTING.toNanos();
      Duration freeze = SHORTEST_FREEZE;
      do {
        relay.freeze();
        Thread.sleep(freeze.toMillis()); // as long as the fault lasts
        relay.thaw();
        awaitMoreCalls();
        freeze = freeze.equals(LONGEST_FREEZE) ? SHORTEST_FREEZE : freeze.plusSeconds(5);
      } while (System.nanoTime() - end < 0);
      assertNothingWasLost(client);
    }
  }

  @Test
  void bytesInSlicesChangeNothingEvenWhenTheLinkIsCutBetweenThem() throws Exception {
    try (GatewayUnderTest gateway = start(GatewayKind.STANDALONE);
        TroubledRelay relay = TroubledRelay.to(gateway.uri().getPort());
        ChildJvm client = client(gateway.uri(), relay.port(), ",compression=on")) {
      relay.slice(true);
      client.ask("go", Pattern.compile("^calling$"), SOON);
      long before = executed();
      cutAgainAndAgain(relay, LASTING);
      assertThat(executed()).as("executed").isGreaterThan(before + A_HANDFUL_OF_CALLS);
      relay.slice(false);
      awaitMoreCalls();
      assertNothingWasLost(client);
    }
  }

  /** Half-open: what either side sends goes nowhere, and nothing says so. */
  @Test
  void callsGoOnAfterConnectionsThatHaveDiedWithoutAWord() throws Exception {
    try (OpenGateway gateway =
            OpenGateway.start(
                directory.resolve("gateway"),
                hosts,
                "session: {heartbeat: 1s}",
                OpenGateway.targets(InsideHosts.INSIDE + ":*"),
                CALLBACKS);
        CountingRelay relay = CountingRelay.to(gateway.port());
        ChildJvm client = client(gateway.uri(), relay.port(), "")) {
      client.ask("go", Pattern.compile("^calling$"), SOON);
      awaitMoreCalls();
      for (int deaths = 0; deaths < 2; deaths++) {
        long connections = relay.counts().connections();
        relay.mute();
        await().atMost(SOON).until(() -> relay.counts().connections() > connections);
        awaitMoreCalls();
      }
      assertNothingWasLost(client);
    }
  }
}

package io.rmigate.gateway.container.lookups;

import static io.rmigate.gateway.container.lookups.LookupBed.ask;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.CountingRelay;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.testing.LoopbackPort;
import io.rmigate.testing.Patience;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** What the account says that is saved, beside what plain RMI needs. */
class SavedTripsIT extends LookupScenario {
  /**
   * A connection that has rested for more than two round trips is pinged before it is used, of
   * which the link's first is that of a JVM that loads its classes.
   */
  private static final Duration PINGED_AFTER = Duration.ofSeconds(3);

  @Test
  void theAccountIsShownToAdmins() throws Exception {
    int calls = 10;
    bed.server(InsideHosts.INSIDE);
    bed.gateway("");
    ChildJvm client = bed.client(Compression.ON, "");
    for (int i = 0; i < calls; i++) {
      assertThat(ask(client, "hello")).isEqualTo(GREETING);
    }
    client.close(); // it reports once more before it ends

    Patience.await()
        .until(() -> bed.gateway().admin("").get("saved").get("roundTrips").asInt() > calls);
    JsonNode totals = bed.gateway().admin("");
    JsonNode saved = totals.get("saved");
    assertThat(saved.get("roundTrips").asInt()).isEqualTo(calls + 1); // and one lookup
    assertThat(saved.get("plainRoundTrips").asInt()).isGreaterThan(2 * calls);
    assertThat(saved.get("lookups").asInt()).isEqualTo(calls - 1);
    assertThat(saved.get("leaseCalls").asInt()).isPositive();
    assertThat(saved.get("pings").asInt()).isPositive();
    JsonNode links = totals.get("links");
    assertThat(saved.get("plainBytes").asLong())
        .isGreaterThan(links.get("bytesFromAgents").asLong());
    assertThat(links.get("bytesToAgents").asLong()).isPositive();
    assertThat(links.get("coded").get("ratio").asDouble()).isBetween(0.01, 0.9);
  }

  /** Once the first has shown how long a ping takes. */
  @Test
  void whatPlainRmiNeedsIsWhatTheAccountSays() throws Exception {
    int objects = LoopbackPort.free();
    bed.server(InsideHosts.INSIDE, 0, objects);
    bed.gateway("");
    ChildJvm mediated = bed.client("");
    helloAndCall(mediated);
    long[] before = account(mediated);
    rested(mediated);
    rested(mediated);
    long[] after = account(mediated);

    try (CountingRelay toRegistry = bed.besides(bed.registryPort());
        CountingRelay toObjects = bed.besides(objects)) {
      ChildJvm plain = bed.plainClient();
      helloAndCall(plain);
      CountingRelay.Counts first = toObjects.counts();
      rested(plain);
      rested(plain);
      CountingRelay.Counts needed = toObjects.counts().since(first);

      assertThat(needed.roundTrips()).isEqualTo(4); // a ping and a call, twice
      assertThat(after[0] - before[0]).isEqualTo(needed.roundTrips());
      assertThat(after[1] - before[1]).isEqualTo(needed.bytes());
      assertThat(toRegistry.counts().roundTrips()).isPositive();
    }
  }

  private static void helloAndCall(ChildJvm client) throws InterruptedException {
    assertThat(ask(client, "hello")).isEqualTo(GREETING);
    rested(client);
  }

  private static void rested(ChildJvm client) throws InterruptedException {
    Patience.await().pollDelay(PINGED_AFTER).until(() -> true);
    assertThat(ask(client, "call")).isEqualTo(GREETING);
  }

  /** Round trips and bytes. */
  private static long[] account(ChildJvm client) throws InterruptedException {
    return Arrays.stream(ask(client, "account").split(" ")).mapToLong(Long::parseLong).toArray();
  }
}

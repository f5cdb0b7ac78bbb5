package io.rmigate.gateway.container.lookups;

import static io.rmigate.gateway.container.lookups.LookupBed.ask;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.CountingRelay;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.sample.Everything;
import io.rmigate.sample.Hello;
import io.rmigate.testing.LoopbackPort;
import io.rmigate.testing.Patience;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What lookups cost on the link, counted by a relay, and how soon a change inside is seen. */
@ExtendWith(LeftoverCheck.class)
class LookupsIT {
  /** Nothing is looked up inside but what somebody asks for. */
  private static final String NO_POLL = "lookups:\n  poll: 1h\n";

  private static final String GREETING = "Hello, World!";

  private static final Duration MORE_THAN_A_MINUTE = Duration.ofSeconds(62);

  /**
   * A connection that has rested for more than two round trips is pinged before it is used, of
   * which the link's first is that of a JVM that loads its classes.
   */
  private static final Duration PINGED_AFTER = Duration.ofSeconds(3);

  private LookupBed bed;

  @BeforeEach
  void open() throws Exception {
    bed =
        new LookupBed(
            BuiltArtefacts.workDirectory(getClass()).resolve(Long.toString(System.nanoTime())));
  }

  @AfterEach
  void close() throws Exception {
    bed.close();
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void aFirstResultTakesTwoRoundTripsAndARepeatedLookupNone(Compression compression)
      throws Exception {
    bed.server(InsideHosts.INSIDE);
    bed.gateway("");
    ChildJvm client = bed.client(compression, "");
    openLink(client);
    assertThat(bed.trips(client, "hello", GREETING)).isEqualTo(2);
    for (int i = 0; i < 5; i++) {
      assertThat(bed.trips(client, "look", "[Hello]")).isZero();
      assertThat(bed.trips(client, "call", GREETING)).isEqualTo(1);
      assertThat(bed.trips(client, "hello", GREETING)).isEqualTo(1);
    }
  }

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

  @ParameterizedTest
  @EnumSource(names = {"OFF", "ON"})
  void aFirstResultTakesOneRoundTripWhenTheGatewayPreloads(Compression compression)
      throws Exception {
    bed.server(InsideHosts.INSIDE);
    bed.gateway(
        """
        preload:
          - principals: ['*']
            names: ['%s:%d/Hello']
        """
            .formatted(InsideHosts.INSIDE, bed.registryPort()));
    Patience.await()
        .until(
            () ->
                bed.gateway().admin("lookups").findValue("bound") != null
                    && !bed.gateway().admin("lookups").findValue("bound").isEmpty());
    JsonNode watched = bed.gateway().admin("lookups").get(0);
    assertThat(watched.get("name").asText()).isEqualTo("Hello");
    assertThat(watched.get("kept").asBoolean()).isTrue();
    assertThat(watched.get("holders").asInt()).isZero();

    ChildJvm client = bed.client(compression, "");
    openLink(client);
    assertThat(bed.trips(client, "hello", GREETING)).isEqualTo(1);
    assertThat(bed.gateway().admin("lookups").get(0).get("holders").asInt()).isEqualTo(1);
  }

  @Test
  void aFirstResultTakesOneRoundTripWhenTheClientPreloads() throws Exception {
    bed.server(InsideHosts.INSIDE);
    bed.gateway(NO_POLL);
    ChildJvm client =
        bed.client(",preload=%s:%d/Hello".formatted(InsideHosts.INSIDE, bed.registryPort()));
    openLink(client);
    bed.awaitMetric("rmigate_lookups_pushes_total", 1);
    assertThat(ask(client, "nobody")).isEqualTo("not bound"); // and what was sent before is here
    assertThat(bed.trips(client, "hello", GREETING)).isEqualTo(1);
  }

  @Test
  void whatTheClientPreloadsIsWatchedByAnotherGatewayWhenItsGatewayIsKilled() throws Exception {
    bed.server(InsideHosts.INSIDE);
    bed.gateway(NO_POLL);
    bed.gateway("lookups:\n  poll: 1s\n");
    ChildJvm client =
        bed.client(",preload=%s:%d/Hello".formatted(InsideHosts.INSIDE, bed.registryPort()));
    openLink(client);
    assertThat(ask(client, "hello")).isEqualTo(GREETING); // what it holds needs a gateway

    bed.killGateway();

    bed.awaitMetric("rmigate_lookups_pushes_total", 1);
    assertThat(ask(client, "nobody")).isEqualTo("not bound"); // and what was sent before is here
    assertThat(bed.trips(client, "look", "[Hello]")).isZero();
    bed.rebind(Everything.NAME, Hello.NAME);
    bed.awaitMetric("rmigate_lookups_pushes_total", 2);
    assertThat(ask(client, "nobody")).isEqualTo("not bound");
    assertThat(bed.trips(client, "look", "[Everything]")).isZero();
  }

  @Test
  void aCallTakesOneRoundTripAfterTheClientHasClosedItsIdleConnections() throws Exception {
    bed.server(InsideHosts.INSIDE);
    bed.gateway(NO_POLL);
    ChildJvm client = bed.client("", "-Dsun.rmi.transport.connectionTimeout=500");
    assertThat(ask(client, "hello")).isEqualTo(GREETING);
    for (int i = 0; i < 3; i++) {
      Patience.await().until(() -> bed.gateway().metric("rmigate_streams") == 0);
      assertOneTripOverANewConnection(client, "call");
      Patience.await().until(() -> bed.gateway().metric("rmigate_streams") == 0);
      assertOneTripOverANewConnection(client, "hello");
    }
  }

  @Test
  void aCallTakesOneRoundTripAfterTheServerHasClosedItsIdleConnections() throws Exception {
    bed.server(InsideHosts.INSIDE, "-Dsun.rmi.transport.tcp.readTimeout=500");
    bed.gateway(NO_POLL);
    ChildJvm client = bed.client("", "-Dsun.rmi.transport.connectionTimeout=3600000");
    assertThat(ask(client, "hello")).isEqualTo(GREETING);
    for (int i = 0; i < 3; i++) {
      Patience.await().until(() -> bed.gateway().connectionsToServers() == 0);
      assertOneTripOverANewConnection(client, "call");
    }
  }

  /** With all defaults: by then the contexts of compression are given up and links are probed. */
  @Test
  void aCallTakesOneRoundTripAfterAMinuteOfSilence() throws Exception {
    bed.server(InsideHosts.INSIDE);
    bed.gateway("");
    ChildJvm client = bed.client(Compression.AUTO, "");
    assertThat(ask(client, "hello")).isEqualTo(GREETING);
    Thread.sleep(MORE_THAN_A_MINUTE.toMillis()); // what is tested takes that long
    assertThat(bed.trips(client, "call", GREETING)).isEqualTo(1);
    assertThat(bed.trips(client, "hello", GREETING)).isEqualTo(1);
  }

  @Test
  void aRebindInsideIsSeenWithTheNextPoll() throws Exception {
    bed.server(InsideHosts.INSIDE);
    bed.gateway("lookups:\n  poll: 1s\n");
    ChildJvm client = bed.client("");
    assertThat(ask(client, "look")).isEqualTo("[Hello]");
    bed.rebind(Everything.NAME, Hello.NAME);
    // The one after the next poll begins when the next has been told of.
    bed.awaitMetric(
        "rmigate_lookups_inside_total", bed.gateway().metric("rmigate_lookups_inside_total") + 2);
    assertThat(ask(client, "nobody")).isEqualTo("not bound"); // and what was sent before is here
    assertThat(bed.trips(client, "look", "[Everything]")).isZero();
  }

  @Test
  void anOwnRebindIsSeenAtOnce() throws Exception {
    bed.server(InsideHosts.INSIDE);
    bed.gateway(NO_POLL);
    ChildJvm client = bed.client("");
    assertThat(ask(client, "look")).isEqualTo("[Hello]");
    assertThat(ask(client, "rebind")).isEqualTo("rebound");
    assertThat(ask(client, "look")).isEqualTo("[Everything]");
  }

  @Test
  void whatIsNotBoundIsNotRemembered() throws Exception {
    bed.server(InsideHosts.INSIDE);
    bed.gateway(NO_POLL);
    ChildJvm client = bed.client("");
    assertThat(ask(client, "nobody")).isEqualTo("not bound");
    assertThat(bed.trips(client, "nobody", "not bound")).isEqualTo(1);
    bed.rebind(Hello.NAME, "Nobody");
    assertThat(bed.trips(client, "nobody", "found")).isEqualTo(1);
  }

  @Test
  void aListIsNotRemembered() throws Exception {
    bed.server(InsideHosts.INSIDE);
    bed.gateway(NO_POLL);
    ChildJvm client = bed.client("");
    assertThat(ask(client, "look")).isEqualTo("[Hello]");
    assertThat(ask(client, "list")).doesNotContain("Nobody");
    assertThat(bed.trips(client, "list", "Hello")).isEqualTo(1);
    bed.rebind(Hello.NAME, "Nobody");
    assertThat(bed.trips(client, "list", "Nobody")).isEqualTo(1);
  }

  @Test
  void namesThatAreExcludedAreLookedUpEveryTime() throws Exception {
    bed.server(InsideHosts.INSIDE);
    bed.gateway(NO_POLL + "  uncached: ['Every*']\n");
    ChildJvm client = bed.client("");
    assertThat(ask(client, "everything")).isEqualTo("[Everything]");
    assertThat(bed.trips(client, "everything", "[Everything]")).isEqualTo(1);
    ChildJvm own = bed.client(",uncached=Hel*");
    assertThat(ask(own, "look")).isEqualTo("[Hello]");
    assertThat(bed.trips(own, "look", "[Hello]")).isEqualTo(1);
    bed.rebind(Everything.NAME, Hello.NAME);
    assertThat(bed.trips(own, "look", "[Everything]")).isEqualTo(1);
  }

  @Test
  void aServerThatHasGoneIsNotAnsweredForByTheCache() throws Exception {
    ChildJvm server = bed.server(InsideHosts.INSIDE);
    bed.gateway(NO_POLL);
    ChildJvm client = bed.client("");
    assertThat(ask(client, "hello")).isEqualTo(GREETING);
    server.kill();
    assertThat(ask(client, "call")).startsWith("failed");
    assertThat(ask(client, "look")).startsWith("failed java.rmi.ConnectException");
  }

  @Test
  void anObjectThatHasGoneIsNotAnsweredForByTheCache() throws Exception {
    ChildJvm server = bed.server(InsideHosts.INSIDE);
    bed.gateway(NO_POLL);
    ChildJvm client = bed.client("");
    assertThat(ask(client, "look")).isEqualTo("[Hello]");
    int objects = Integer.parseInt(ask(client, "port"));
    server.kill();
    bed.server(InsideHosts.INSIDE, bed.registryPort(), objects);
    assertThat(bed.trips(client, "look", "[Hello]")).isZero(); // as long as nobody knows
    assertThat(ask(client, "call")).startsWith("failed java.rmi.NoSuchObjectException");
    assertThat(ask(client, "hello")).isEqualTo(GREETING);
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.1.1", "localhost", "box.nowhere.example"})
  void aServerThatDoesNotKnowItsNameIsCalledThroughTheGateway(String name) throws Exception {
    bed.server(name);
    bed.gateway("");
    ChildJvm client = bed.client("");
    assertThat(ask(client, "look")).isEqualTo("[Hello]");
    assertThat(bed.trips(client, "call", GREETING)).isEqualTo(1);
  }

  /** Since the one before was closed while nothing was to do. */
  private void assertOneTripOverANewConnection(ChildJvm client, String what) throws Exception {
    long before = bed.gateway().metric("rmigate_servers_connect_seconds_count");
    assertThat(bed.trips(client, what, GREETING)).isEqualTo(1);
    assertThat(bed.gateway().metric("rmigate_servers_connect_seconds_count")).isEqualTo(before + 1);
  }

  private static void openLink(ChildJvm client) throws InterruptedException {
    assertThat(ask(client, "nobody")).isEqualTo("not bound");
  }
}

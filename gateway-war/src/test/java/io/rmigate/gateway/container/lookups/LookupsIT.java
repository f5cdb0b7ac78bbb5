package io.rmigate.gateway.container.lookups;

import static io.rmigate.gateway.container.lookups.LookupBed.ask;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.sample.Everything;
import io.rmigate.sample.Hello;
import io.rmigate.testing.Patience;
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

  @Test
  void aFirstResultTakesTwoRoundTripsAndARepeatedLookupNone() throws Exception {
    bed.server(InsideHosts.INSIDE);
    bed.gateway("");
    ChildJvm client = bed.client("");
    openLink(client);
    assertThat(bed.trips(client, "hello", GREETING)).isEqualTo(2);
    for (int i = 0; i < 5; i++) {
      assertThat(bed.trips(client, "look", "[Hello]")).isZero();
      assertThat(bed.trips(client, "call", GREETING)).isEqualTo(1);
      assertThat(bed.trips(client, "hello", GREETING)).isEqualTo(1);
    }
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
                bed.json("lookups").findValue("bound") != null
                    && !bed.json("lookups").findValue("bound").isEmpty());
    JsonNode watched = bed.json("lookups").get(0);
    assertThat(watched.get("name").asText()).isEqualTo("Hello");
    assertThat(watched.get("kept").asBoolean()).isTrue();
    assertThat(watched.get("holders").asInt()).isZero();

    ChildJvm client = bed.client(compression, "");
    openLink(client);
    assertThat(bed.trips(client, "hello", GREETING)).isEqualTo(1);
    assertThat(bed.json("lookups").get(0).get("holders").asInt()).isEqualTo(1);
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
  void aCallTakesOneRoundTripAfterTheClientHasClosedItsIdleConnections() throws Exception {
    bed.server(InsideHosts.INSIDE);
    bed.gateway(NO_POLL);
    ChildJvm client = bed.client("", "-Dsun.rmi.transport.connectionTimeout=500");
    assertThat(ask(client, "hello")).isEqualTo(GREETING);
    for (int i = 0; i < 3; i++) {
      Patience.await().until(() -> bed.metric("rmigate_streams") == 0);
      assertOneTripOverANewConnection(client, "call");
      Patience.await().until(() -> bed.metric("rmigate_streams") == 0);
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
      Patience.await().until(() -> bed.connectionsToServers() == 0);
      assertOneTripOverANewConnection(client, "call");
    }
  }

  @Test
  void aRebindInsideIsSeenWithTheNextPoll() throws Exception {
    bed.server(InsideHosts.INSIDE);
    bed.gateway("lookups:\n  poll: 1s\n");
    ChildJvm client = bed.client("");
    assertThat(ask(client, "look")).isEqualTo("[Hello]");
    bed.rebind(Everything.NAME, Hello.NAME);
    // The one after the next poll begins when the next has been told of.
    bed.awaitMetric("rmigate_lookups_inside_total", bed.metric("rmigate_lookups_inside_total") + 2);
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
    long before = bed.metric("rmigate_servers_connect_seconds_count");
    assertThat(bed.trips(client, what, GREETING)).isEqualTo(1);
    assertThat(bed.metric("rmigate_servers_connect_seconds_count")).isEqualTo(before + 1);
  }

  private static void openLink(ChildJvm client) throws InterruptedException {
    assertThat(ask(client, "nobody")).isEqualTo("not bound");
  }
}

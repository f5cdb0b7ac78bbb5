package io.rmigate.gateway.container.lookups;

import static io.rmigate.gateway.container.lookups.LookupBed.ask;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.sample.Everything;
import io.rmigate.sample.Hello;
import io.rmigate.testing.Patience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How many round trips lookups take, and first calls. */
class LookupTripsIT extends LookupScenario {
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
    assertThat(ask(client, "unbound")).isEqualTo("not bound"); // and what was sent before is here
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
    assertThat(ask(client, "unbound")).isEqualTo("not bound"); // and what was sent before is here
    assertThat(bed.trips(client, "look", "[Hello]")).isZero();
    bed.rebind(Everything.NAME, Hello.NAME);
    bed.awaitMetric("rmigate_lookups_pushes_total", 2);
    assertThat(ask(client, "unbound")).isEqualTo("not bound");
    assertThat(bed.trips(client, "look", "[Everything]")).isZero();
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
}

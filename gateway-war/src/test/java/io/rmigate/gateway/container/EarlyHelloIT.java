package io.rmigate.gateway.container;

import static io.rmigate.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.config.ConfigKey;
import io.rmigate.client.config.Way;
import io.rmigate.client.ladder.LinkLadder;
import io.rmigate.client.link.Link;
import io.rmigate.client.link.LinkStream;
import io.rmigate.client.mediator.MediatorAgent;
import io.rmigate.client.mediator.MediatorSettings;
import io.rmigate.client.transport.Transport;
import io.rmigate.client.transport.TransportConnector;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.CountingRelay;
import io.rmigate.gateway.testing.GatewayKind;
import io.rmigate.gateway.testing.GatewaySetup;
import io.rmigate.gateway.testing.GatewayUnderTest;
import io.rmigate.gateway.testing.HeaderDroppingRelay;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.gateway.testing.SwallowingRelay;
import io.rmigate.protocol.tunnel.Tunnel;
import io.rmigate.testing.Patience;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The round trips that set a link up, besides that of TCP, in each container; and what the agent
 * does behind proxies that lose its first frames.
 */
@ExtendWith(LeftoverCheck.class)
class EarlyHelloIT {
  private static final String HEADER = Tunnel.HELLO_HEADER;

  @ParameterizedTest
  @MethodSource("io.rmigate.gateway.testing.GatewayKind#kindsOfThisTier")
  void helloTravelsWithTheRequest(GatewayKind kind) throws Exception {
    try (GatewayUnderTest started = start(kind)) {
      URI gateway = started.uri();
      assertThat(roundTrips(gateway, "websocket")).as("HELLO with the request").isEqualTo(1);
      assertThat(roundTrips(gateway, "websocket|post"))
          .as("the answer to the ping may come later")
          .isBetween(1L, 2L);
      try (HeaderDroppingRelay proxy =
          HeaderDroppingRelay.to(gateway, HEADER, HeaderDroppingRelay.From.REQUESTS)) {
        assertThat(roundTrips(proxy.uri(gateway), "websocket"))
            .as("as a gateway that does not know the header")
            .isEqualTo(2);
      }
      try (HeaderDroppingRelay proxy =
          HeaderDroppingRelay.to(gateway, HEADER, HeaderDroppingRelay.From.ANSWERS)) {
        assertThat(roundTrips(proxy.uri(gateway), "websocket"))
            .as("without the time of the login")
            .isEqualTo(1);
      }
      assertThat(withoutHeader(gateway)).as("an agent that sends no header").isEqualTo(2);
    }
  }

  @Test
  void theSessionGoesOnByPostWhereNoFrameOfTheAgentPasses() throws Exception {
    try (GatewayUnderTest started = start(GatewayKind.STANDALONE);
        SwallowingRelay proxy = SwallowingRelay.to(started.uri())) {
      ClientConfig config = config(proxy.uri(started.uri()), "websocket|post");
      try (MediatorAgent agent =
          new MediatorAgent(
              LinkLadder.of(config), MediatorSettings.from(config, Map.of("client", "test")))) {
        agent.ensureLink();
        Link link = agent.currentLink().orElseThrow();
        assertThat(link.connection().flatMap(Transport::way)).contains(Way.WEBSOCKET);

        Patience.await().until(() -> link.resumed() == 1);

        assertThat(link.connection().flatMap(Transport::way)).contains(Way.POST);
        assertThat(agent.currentLink()).contains(link);
      }
    }
  }

  /** The call makes the agent try a second connection before it knows that its frames are lost. */
  @Test
  void aCallGoesOnByPostWhereNoFrameOfTheAgentPasses() throws Exception {
    try (GatewayUnderTest started = start(GatewayKind.STANDALONE);
        SwallowingRelay proxy = SwallowingRelay.to(started.uri())) {
      ClientConfig config = config(proxy.uri(started.uri()), "websocket|post");
      try (MediatorAgent agent =
          new MediatorAgent(
              LinkLadder.of(config), MediatorSettings.from(config, Map.of("client", "test")))) {
        agent.ensureLink();
        Link link = agent.currentLink().orElseThrow();
        LinkStream stream = link.openStream(InsideHosts.INSIDE, 1, PATIENCE, PATIENCE);
        stream.beginRequest();
        stream.send(true, new byte[] {0}, 0, 1);

        assertThatThrownBy(() -> stream.read(new byte[1], 0, 1, 0))
            .as("the gateway has judged it")
            .hasMessageContaining("not exactly one JRMP message");
        assertThat(link.resumed()).isEqualTo(1);
        assertThat(link.connection().flatMap(Transport::way)).contains(Way.POST);
      }
    }
  }

  @Test
  void theFirstLinkIsOpenedByPostWhereNoFramePasses() throws Exception {
    try (GatewayUnderTest started = start(GatewayKind.STANDALONE);
        SwallowingRelay proxy = SwallowingRelay.bothWays(started.uri())) {
      ClientConfig config = config(proxy.uri(started.uri()), "websocket|post");
      try (MediatorAgent agent =
          new MediatorAgent(
              LinkLadder.of(config), MediatorSettings.from(config, Map.of("client", "test")))) {
        agent.ensureLink();

        Link link = agent.currentLink().orElseThrow();
        assertThat(link.connection().flatMap(Transport::way)).contains(Way.POST);
      }
    }
  }

  private static GatewayUnderTest start(GatewayKind kind) throws Exception {
    Path directory = WorkDirectory.empty(BuiltArtefacts.workDirectory(EarlyHelloIT.class));
    return kind.start(
        new GatewaySetup(
            directory,
            Optional.empty(),
            InsideHosts.ofAllTests(),
            List.of(InsideHosts.INSIDE + ":*"),
            List.of("-Xmx96m"),
            "",
            0));
  }

  private static ClientConfig config(URI gateway, String ways) {
    return ClientConfig.builder().gateways(gateway).set(ConfigKey.WAY, ways).build();
  }

  private static long roundTrips(URI gateway, String ways) throws IOException {
    try (CountingRelay relay = CountingRelay.to(gateway.getPort())) {
      ClientConfig config = config(via(relay, gateway), ways);
      return roundTrips(relay, config, LinkLadder.of(config));
    }
  }

  /** Of a connector that knows no hello. */
  private static long withoutHeader(URI gateway) throws IOException {
    try (CountingRelay relay = CountingRelay.to(gateway.getPort())) {
      ClientConfig config = config(via(relay, gateway), "websocket");
      TransportConnector current = LinkLadder.of(config);
      return roundTrips(relay, config, timeout -> current.connect(timeout));
    }
  }

  private static URI via(CountingRelay relay, URI gateway) {
    return URI.create("http://127.0.0.1:" + relay.port() + gateway.getPath());
  }

  /** Until the link is open. The session also survives the loss of its connection. */
  private static long roundTrips(
      CountingRelay relay, ClientConfig config, TransportConnector connector) throws IOException {
    try (MediatorAgent agent =
        new MediatorAgent(connector, MediatorSettings.from(config, Map.of("client", "test")))) {
      agent.ensureLink();
      long roundTrips = relay.counts().roundTrips();
      Link link = agent.currentLink().orElseThrow();
      relay.cut();
      Patience.await().until(() -> link.resumed() == 1);
      assertThat(agent.currentLink()).contains(link);
      return roundTrips;
    }
  }
}

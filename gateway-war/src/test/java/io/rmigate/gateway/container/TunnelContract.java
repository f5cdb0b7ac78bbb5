package io.rmigate.gateway.container;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.container.probe.Way;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.DevelopmentCertificate;
import io.rmigate.gateway.testing.GatewayKind;
import io.rmigate.gateway.testing.GatewaySetup;
import io.rmigate.gateway.testing.GatewayUnderTest;
import io.rmigate.gateway.testing.Handshake;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.InsideServers;
import io.rmigate.gateway.testing.LeftoverCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What every gateway must do, however it is run: RMI through the tunnel is RMI. Subclasses name the
 * container; what one cannot do is an override there, with its reason.
 */
@ExtendWith(LeftoverCheck.class)
@TestInstance(Lifecycle.PER_CLASS)
abstract class TunnelContract {
  /** Less than one of the large payloads that must pass. */
  private static final String GATEWAY_HEAP = "-Xmx96m";

  private Path directory;
  private InsideHosts hosts;
  private InsideServers servers;

  /** The gateway that is put to the test. */
  abstract GatewayKind kind();

  /** How many connections {@code thousandsOfConnectionsAreServed} makes. */
  int connects() {
    return 2_000;
  }

  /** Of the link, as the client is told. */
  String compression() {
    return "auto";
  }

  /** How long JMX notifications are exchanged. */
  int jmxSeconds() {
    return 1;
  }

  /** With a heap that payloads have to be streamed through. */
  static GatewayUnderTest start(
      GatewayKind kind,
      Path directory,
      Optional<DevelopmentCertificate> certificate,
      InsideHosts hosts)
      throws IOException, InterruptedException {
    return kind.start(
        new GatewaySetup(
                directory,
                certificate,
                hosts,
                List.of(InsideHosts.INSIDE + ":*", InsideHosts.MISSING + ":*"),
                List.of(GATEWAY_HEAP),
                ProbeRun.RULES,
                0)
            .asPacked());
  }

  /** The option of a client's JVM, to which further arguments may be added. */
  static String javaagent(GatewayUnderTest gateway, Optional<DevelopmentCertificate> certificate) {
    return "-javaagent:"
        + BuiltArtefacts.javaagent()
        + "="
        + gateway.uri()
        + certificate
            .map(
                c ->
                    ",truststore="
                        + c.truststore()
                        + ",truststore-password-file="
                        + c.passwordFile())
            .orElse("")
        + ",tunnel=*:*";
  }

  @BeforeAll
  void startServers() throws Exception {
    directory = WorkDirectory.empty(BuiltArtefacts.workDirectory(getClass()));
    hosts = InsideHosts.ofAllTests();
    servers = InsideServers.start(directory, hosts);
  }

  @AfterAll
  void stopServers() throws Exception {
    if (servers != null) {
      servers.close();
    }
  }

  @TestFactory
  Stream<DynamicTest> overHttp() throws Exception {
    Tunnel tunnel = new Tunnel("http", false);
    return Stream.concat(
            Stream.of(DynamicTest.dynamicTest("noExtensionIsAgreedOn", tunnel::expectNoExtension)),
            tunnel.tests(Way.TUNNEL))
        .onClose(tunnel::close);
  }

  @TestFactory
  Stream<DynamicTest> overHttps() throws Exception {
    Tunnel tunnel = new Tunnel("https", true);
    return tunnel.tests(Way.TUNNEL_OVER_TLS).onClose(tunnel::close);
  }

  /**
   * A gateway and a client that goes through it. JUnit closes the stream of tests after the last
   * one, and with it both.
   */
  private final class Tunnel implements AutoCloseable {
    private final GatewayUnderTest gateway;
    private final ProbeRun probe;

    Tunnel(String name, boolean tls) throws Exception {
      Path own = Files.createDirectories(directory.resolve(name));
      Optional<DevelopmentCertificate> certificate =
          tls ? Optional.of(DevelopmentCertificate.create(own)) : Optional.empty();
      gateway = start(kind(), own, certificate, hosts);
      String javaagent =
          javaagent(gateway, certificate) + ",way=websocket,compression=" + compression();
      probe =
          new ProbeRun(
              name,
              own,
              List.of(hosts.outsideOption(), javaagent),
              ProbeRun.inside(servers, connects(), tls ? 1 : jmxSeconds()),
              Duration.ofSeconds(90 + jmxSeconds()));
    }

    Stream<DynamicTest> tests(Way way) {
      return probe.tests(way, gateway.jvm());
    }

    /** The container agrees on no WebSocket extension by itself (PROTOCOL.md, section 3). */
    void expectNoExtension() throws IOException {
      List<String> head = Handshake.ask(gateway.uri(), "", Handshake.DEFLATE);
      assertThat(head.get(0)).startsWith("HTTP/1.1 101");
      assertThat(head).noneMatch(line -> line.toLowerCase(Locale.ROOT).contains("extensions"));
    }

    @Override
    public void close() {
      try {
        probe.close(); // the client ends before its gateway
      } finally {
        gateway.close();
      }
    }
  }
}

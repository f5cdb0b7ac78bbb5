package io.rmigate.gateway.container;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.container.probe.Way;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.DevelopmentCertificate;
import io.rmigate.gateway.testing.GatewayKind;
import io.rmigate.gateway.testing.GatewayUnderTest;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.InsideServers;
import io.rmigate.gateway.testing.LeftoverCheck;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The contract over POST, for each container. Resuming over POST is in {@code cuts}, on each
 * container too; gateways that are killed are in {@code failover} and {@code callbacks}.
 */
@ExtendWith(LeftoverCheck.class)
@TestInstance(Lifecycle.PER_CLASS)
abstract class PostTunnelContract {
  /** How many connections {@code thousandsOfConnectionsAreServed} makes. */
  private static final int CONNECTS = 500;

  private Path directory;
  private InsideHosts hosts;
  private InsideServers servers;

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

  final void rmiByPostsIsRmi(GatewayKind kind, boolean tls) throws Throwable {
    Path own = Files.createDirectories(directory.resolve(kind + (tls ? "-tls" : "")));
    Optional<DevelopmentCertificate> certificate =
        tls ? Optional.of(DevelopmentCertificate.create(own)) : Optional.empty();
    try (GatewayUnderTest gateway = TunnelContract.start(kind, own, certificate, hosts);
        ProbeRun probe =
            new ProbeRun(
                "post",
                own,
                List.of(
                    hosts.outsideOption(),
                    TunnelContract.javaagent(gateway, certificate) + ",way=post"),
                ProbeRun.inside(servers, CONNECTS, 1),
                Duration.ofMinutes(2))) {
      List<DynamicTest> cases =
          probe.tests(tls ? Way.TUNNEL_OVER_TLS : Way.TUNNEL, gateway.jvm()).toList();
      assertThat(cases).hasSizeGreaterThan(30);
      for (DynamicTest each : cases) {
        each.getExecutable().execute();
      }
    }
  }
}

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
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A part of the contract over POST, on each container: that which depends on how bytes travel.
 * Resuming over POST is in {@code cuts}, on each container too; gateways that are killed are in
 * {@code failover} and {@code callbacks}.
 */
@ExtendWith(LeftoverCheck.class)
@TestInstance(Lifecycle.PER_CLASS)
class PostTunnelIT {
  private static final Set<String> CASES =
      Set.of(
          "boundNamesAreFoundAndListed",
          "primitivesKeepTheirExtremes",
          "payloadsOfEverySizeCrossBothWays",
          "smallCallsFollowLargeOnesAtAnyDistance",
          "callsOf64ThreadsAreExecutedExactlyOnce",
          "answersOf64ThreadsAreNotMixedUp",
          "slowCallsHoldNobodyUp",
          "largePayloadsLetSmallCallsPass");

  /** Not over TLS as well: it would only be slower. */
  private static final Set<String> LARGE_CASES =
      Set.of("resultsOf100MbArriveUnharmed", "argumentsOf100MbArriveUnharmed");

  private Path directory;
  private InsideHosts hosts;
  private InsideServers servers;

  @BeforeAll
  void startServers() throws Exception {
    directory = WorkDirectory.empty(BuiltArtefacts.workDirectory(getClass()));
    hosts = InsideHosts.write(directory);
    servers = InsideServers.start(directory, hosts);
  }

  @AfterAll
  void stopServers() throws Exception {
    if (servers != null) {
      servers.close();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "STANDALONE,false",
    "STANDALONE,true",
    "TOMCAT_10,false",
    "TOMCAT_11,true",
    "JETTY_12,false"
  })
  void callsAndPayloadsCrossInPosts(GatewayKind kind, boolean tls) throws Throwable {
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
                TunnelContract.inside(servers, 0, 0),
                Duration.ofMinutes(2))) {
      List<DynamicTest> tests =
          probe
              .tests(Way.TUNNEL, gateway.jvm())
              .filter(
                  test ->
                      CASES.contains(test.getDisplayName())
                          || (!tls && LARGE_CASES.contains(test.getDisplayName())))
              .toList();
      assertThat(tests).hasSize(CASES.size() + (tls ? 0 : LARGE_CASES.size()));
      for (DynamicTest test : tests) {
        test.getExecutable().execute();
      }
    }
  }
}

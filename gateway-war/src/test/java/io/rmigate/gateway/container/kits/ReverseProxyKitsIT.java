package io.rmigate.gateway.container.kits;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.testing.LoopbackPort;
import io.rmigate.testing.Patience;
import io.rmigate.testing.Tier;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@code deploy/envoy} and {@code deploy/traefik}, each in front of two gateways. */
@Tag(Tier.FULL)
@ExtendWith(LeftoverCheck.class)
class ReverseProxyKitsIT {
  private static final Duration SOON = Patience.PATIENCE;

  private KitBed bed;
  private Gateway one;
  private Gateway two;

  /** A stand-alone gateway, by the address at which the proxy reaches it. */
  private record Gateway(ChildJvm jvm, URI uri) {
    String address() {
      return "127.0.0.1:" + uri.getPort();
    }
  }

  @BeforeEach
  void startServer() throws Exception {
    bed = new KitBed(getClass());
  }

  @AfterEach
  void stopEverything() throws Exception {
    bed.close();
  }

  @Test
  void clientsGetThroughEnvoyAndAStopLetsCallsEnd() throws Exception {
    Tool envoy = Tool.find("envoy");
    startGateways();
    int port = LoopbackPort.free();
    Path file =
        KitFile.of("envoy/envoy.yaml")
            .with("address: 0.0.0.0, port_value: 443", "address: 127.0.0.1, port_value: " + port)
            .with("gw1.inner.example, port_value: 8443", own(one))
            .with("gw2.inner.example, port_value: 8443", own(two))
            .with("/etc/envoy", bed.pem())
            .to(bed.directory());
    bed.started(
        Server.start(
            envoy,
            bed.directory().resolve("envoy.log"),
            port,
            "--config-path",
            file.toString(),
            "--concurrency",
            "1",
            "--disable-hot-restart"));
    check(port);
  }

  private static String own(Gateway gateway) {
    return "127.0.0.1, port_value: " + gateway.uri().getPort();
  }

  @Test
  void clientsGetThroughTraefikAndAStopLetsCallsEnd() throws Exception {
    Tool traefik = Tool.find("traefik");
    startGateways();
    int port = LoopbackPort.free();
    Path routes =
        KitFile.of("traefik/rmigate.yaml")
            .with("gw1.inner.example:8443", one.address())
            .with("gw2.inner.example:8443", two.address())
            .with("/etc/traefik", bed.pem())
            .to(bed.directory());
    Path file =
        KitFile.of("traefik/traefik.yaml")
            .with("\":443\"", "\"127.0.0.1:" + port + "\"")
            .with("/etc/traefik/rmigate.yaml", routes)
            .to(bed.directory());
    Server started =
        bed.started(
            Server.start(
                traefik, bed.directory().resolve("traefik.log"), port, "--configFile=" + file));
    check(port);
    assertThat(started.output().lines()).noneMatch(line -> line.contains(" ERR "));
  }

  /** Through the proxy at that port. */
  private void check(int port) throws Exception {
    URI outer = URI.create("https://127.0.0.1:" + port + "/rmigate");
    Awaitility.await().atMost(SOON).until(() -> ready(outer));
    for (String closed :
        List.of(
            "/admin/sessions",
            "/metrics",
            "/%61dmin/sessions",
            "//admin/sessions",
            "/;/admin/sessions",
            "/./admin/sessions",
            "/tunnel/../admin/sessions",
            "/tunnel/%2e%2e/metrics",
            "/tunnel/..;/admin/sessions",
            "/tunnel/..;x=y/metrics")) {
      assertThat(bed.getAsUser(outer, closed).statusCode()).as(closed).isEqualTo(404);
    }

    assertThatNobodyIsBelievedButTheProxy(outer);

    // Each of its requests has found the gateway at which its session is.
    bed.assertThatClientsGetThrough(outer, "way=post");
    Gateway used = calls(one) > 0 ? one : two;
    Gateway idle = used.equals(one) ? two : one;
    assertThat(calls(idle)).isZero();

    ChildJvm client = bed.clientWithCallInFlight(outer);
    used.jvm().close();
    KitBed.assertAnswered(client);
    KitBed.assertAnswered(bed.clientWithCallInFlight(outer));
    assertThat(calls(idle)).isPositive();
  }

  /** As to who asks; by that logins are locked, logged and audited. */
  private void assertThatNobodyIsBelievedButTheProxy(URI outer) throws Exception {
    String elsewhere = "203.0.113.7";
    assertThat(bed.postAsNobodyFrom(elsewhere, outer).statusCode()).isEqualTo(401);
    Awaitility.await().atMost(SOON).until(() -> refusals().count() > 0);
    assertThat(refusals()).noneMatch(line -> line.contains(elsewhere));
  }

  private Stream<String> refusals() {
    return Stream.of(one, two)
        .flatMap(gateway -> gateway.jvm().output().stream())
        .filter(line -> line.contains(": login of principal nobody refused: "));
  }

  private boolean ready(URI gateway) throws InterruptedException {
    try {
      return bed.get(gateway, "/health/ready").statusCode() == 200;
    } catch (IOException notYet) {
      return false;
    }
  }

  private long calls(Gateway gateway) throws IOException, InterruptedException {
    return bed.getAsOperator(gateway.uri(), "/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith("rmigate_calls_total"))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private void startGateways() throws Exception {
    bed.trustProxy("127.0.0.1");
    ChildJvm first = bed.gateway("one");
    ChildJvm second = bed.gateway("two");
    one = new Gateway(first, KitBed.uri(first));
    two = new Gateway(second, KitBed.uri(second));
  }
}

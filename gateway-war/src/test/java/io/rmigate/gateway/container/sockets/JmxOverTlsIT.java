package io.rmigate.gateway.container.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.DevelopmentCertificate;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.gateway.testing.OpenGateway;
import io.rmigate.sample.SampleServer;
import io.rmigate.testing.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The JDK's own management, with TLS and client certificates, by a client that cannot resolve the
 * server's name: its stubs bring an {@code SslRMIClientSocketFactory}, which rmigate never sees.
 */
@ExtendWith(LeftoverCheck.class)
class JmxOverTlsIT {
  private static final Duration SOON = Patience.PATIENCE;
  private static final Pattern OPAQUE = Pattern.compile("^opaque (\\d+) (\\d+) calls (\\d+)$");
  private static final String SOCKETS = ",sockets=" + InsideHosts.INSIDE + ":*";
  private static final String RAW =
      "raw:\n  - principals: ['*']\n    allow: ['" + InsideHosts.INSIDE + ":*']\n";

  private final List<ChildJvm> children = new ArrayList<>();
  private Path directory;
  private InsideHosts hosts;
  private DevelopmentCertificate certificate;
  private OpenGateway gateway;

  @BeforeEach
  void prepare(TestInfo test) throws Exception {
    directory =
        Files.createDirectories(
            BuiltArtefacts.workDirectory(getClass())
                .resolve(test.getTestMethod().orElseThrow().getName())
                .resolve(Long.toString(System.nanoTime())));
    hosts = InsideHosts.ofAllTests();
    certificate = DevelopmentCertificate.create(directory, "dns:" + InsideHosts.INSIDE);
  }

  @AfterEach
  void stopEverything() {
    children.forEach(ChildJvm::close);
    gateway.close();
  }

  private void gateway(String raw) throws Exception {
    gateway =
        OpenGateway.start(
            directory.resolve("gateway"),
            hosts,
            OpenGateway.targets(InsideHosts.INSIDE + ":*"),
            "    jmx: true",
            raw);
  }

  private ChildJvm.Builder withKeys(ChildJvm.Builder jvm) {
    return trusting(jvm)
        .property("javax.net.ssl.keyStore", certificate.keystore())
        .property("javax.net.ssl.keyStorePassword", certificate.password());
  }

  private ChildJvm.Builder trusting(ChildJvm.Builder jvm) {
    return jvm.property("javax.net.ssl.trustStore", certificate.truststore())
        .property("javax.net.ssl.trustStorePassword", certificate.password());
  }

  /** The port of the management's registry. */
  private String managed(boolean registryOverTls) throws Exception {
    ChildJvm server =
        withKeys(ChildJvm.named("managed", directory))
            .jvmOptions(hosts.insideOption(), "-Xmx64m")
            .property("java.rmi.server.hostname", InsideHosts.INSIDE)
            .property("com.sun.management.jmxremote.port", 0)
            .property("com.sun.management.jmxremote.authenticate", false)
            .property("com.sun.management.jmxremote.ssl", true)
            .property("com.sun.management.jmxremote.ssl.need.client.auth", true)
            .property("com.sun.management.jmxremote.registry.ssl", registryOverTls)
            .classPath(BuiltArtefacts.codeSource(SampleServer.class))
            .main("io.rmigate.sample.JmxSample")
            .start();
    children.add(server);
    return server.awaitLine(Pattern.compile("^jmx sample ready (\\d+)$"), SOON).group(1);
  }

  /** Returns the port of its SOCKS server. */
  private String sidecar() throws Exception {
    ChildJvm sidecar =
        ChildJvm.named("sidecar", directory)
            .jvmOptions(hosts.outsideOption(), "-Xmx64m")
            .jar(BuiltArtefacts.javaagent())
            .arguments(
                "sidecar",
                "--gateway",
                gateway.uri().toString(),
                "--listen",
                "127.0.0.1:0",
                "--sockets",
                InsideHosts.INSIDE + ":*")
            .start();
    children.add(sidecar);
    sidecar.awaitLine(Pattern.compile("^rmigate sidecar ready$"), SOON);
    return sidecar.awaitLine(Pattern.compile("listens on 127.0.0.1:(\\d+) "), SOON).group(1);
  }

  /** A client with the javaagent that has been run to its end. */
  private ChildJvm manage(String port, String registry, String sockets) throws Exception {
    return run(
        withKeys(ChildJvm.named("client", directory))
            .jvmOptions(
                "-javaagent:"
                    + BuiltArtefacts.javaagent()
                    + "="
                    + gateway.uri()
                    + ",way=websocket,tunnel="
                    + InsideHosts.INSIDE
                    + ":*"
                    + sockets),
        port,
        registry);
  }

  private ChildJvm run(ChildJvm.Builder manager, String port, String registry) throws Exception {
    ChildJvm client =
        manager
            .jvmOptions(hosts.outsideOption(), "-Xmx64m")
            .classPath(BuiltArtefacts.codeSource(TlsManager.class))
            .main(TlsManager.class.getName())
            .arguments(InsideHosts.INSIDE, port, registry)
            .start();
    children.add(client);
    client.awaitLine(Pattern.compile("^bye$"), SOON);
    assertThat(client.awaitExit(SOON)).isZero();
    return client;
  }

  private static ChildJvm.Builder bySocks(ChildJvm.Builder client, String port) {
    return client.property("socksProxyHost", "127.0.0.1").property("socksProxyPort", port);
  }

  private static Matcher opaque(ChildJvm client) throws InterruptedException {
    return client.awaitLine(OPAQUE, SOON);
  }

  @Test
  void managementOverTlsWorksAndTheAccountShowsWhatIsOpaque() throws Exception {
    gateway(RAW);
    ChildJvm client = manage(managed(false), "plain", SOCKETS);

    assertThat(client.output()).contains("managed 18.5");
    Matcher opaque = opaque(client);
    assertThat(Long.parseLong(opaque.group(1))).isPositive();
    assertThat(Long.parseLong(opaque.group(2))).isGreaterThan(1000);
    assertThat(Long.parseLong(opaque.group(3))).as("the lookup is mediated").isPositive();
    assertThat(gateway.get("/metrics")).containsPattern("rmigate_raw_connections_total [1-9]");
  }

  /** TLS is end to end: it is the server that has no use for a client without a key. */
  @Test
  void managementOverTlsWorksThroughASidecar() throws Exception {
    gateway(RAW);
    String port = managed(false);
    String socks = sidecar();

    ChildJvm client =
        run(bySocks(withKeys(ChildJvm.named("client", directory)), socks), port, "plain");
    assertThat(client.output()).contains("managed 18.5");
    long connections = gateway.metric("rmigate_raw_connections_total");
    assertThat(connections).isPositive();

    ChildJvm keyless =
        run(bySocks(trusting(ChildJvm.named("keyless", directory)), socks), port, "plain");
    assertThat(keyless.output()).anyMatch(line -> line.startsWith("failed "));
    assertThat(gateway.metric("rmigate_raw_connections_total"))
        .as("its handshakes have come to the server")
        .isGreaterThan(connections);
  }

  @Test
  void registryOverTlsWorksToo() throws Exception {
    gateway(RAW);
    ChildJvm client = manage(managed(true), "tls", SOCKETS);

    assertThat(client.output()).contains("managed 18.5");
    assertThat(Long.parseLong(opaque(client).group(3))).as("nothing is mediated").isZero();
  }

  @Test
  void withoutTheKeyStubsWithAFactoryGoTheirOwnWay() throws Exception {
    gateway(RAW);
    ChildJvm client = manage(managed(false), "plain", "");

    assertThat(client.output()).anyMatch(line -> line.contains("UnknownHostException"));
    assertThat(opaque(client).group(1)).isEqualTo("0");
  }

  @Test
  void whatOnlyTargetsAllowIsNoPlaceForRawStreams() throws Exception {
    gateway("");
    ChildJvm client = manage(managed(false), "plain", SOCKETS);

    assertThat(client.output()).anyMatch(line -> line.startsWith("failed "));
    assertThat(gateway.get("/metrics"))
        .contains("rmigate_raw_connections_total 0.0")
        .containsPattern("rmigate_refused_total\\{reason=\"raw-target\"} [1-9]");
  }
}

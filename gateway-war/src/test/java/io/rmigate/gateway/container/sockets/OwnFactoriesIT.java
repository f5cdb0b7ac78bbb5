package io.rmigate.gateway.container.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.container.ProbeRun;
import io.rmigate.gateway.container.WorkDirectory;
import io.rmigate.gateway.container.probe.ContractProbe;
import io.rmigate.gateway.container.probe.Way;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.InsideServers;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.gateway.testing.OpenGateway;
import io.rmigate.sample.Hello;
import io.rmigate.sample.SampleServer;
import io.rmigate.testing.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Socket factories that make plain sockets, in a stub or global: their calls are mediated where the
 * client's key {@code sockets} lists the destination, by the gateway's {@code targets} alone.
 */
@ExtendWith(LeftoverCheck.class)
class OwnFactoriesIT {
  private static final Duration SOON = Patience.PATIENCE;

  private final List<ChildJvm> children = new ArrayList<>();
  private Path directory;
  private InsideHosts hosts;
  private OpenGateway gateway;

  @BeforeEach
  void startGateway() throws Exception {
    directory = WorkDirectory.empty(BuiltArtefacts.workDirectory(getClass()));
    hosts = InsideHosts.ofAllTests();
    gateway =
        OpenGateway.start(
            directory.resolve("gateway"),
            hosts,
            OpenGateway.targets(InsideHosts.INSIDE + ":*", InsideHosts.MISSING + ":*"),
            ProbeRun.RULES + "    classes: ['" + PlainSockets.class.getName() + "']\n");
  }

  @AfterEach
  void stopEverything() {
    children.forEach(ChildJvm::close);
    gateway.close();
  }

  private String javaagent(String sockets) {
    return "-javaagent:"
        + BuiltArtefacts.javaagent()
        + "="
        + gateway.uri()
        + ",way=websocket,tunnel=*:*"
        + sockets;
  }

  /** Every rule of the contract, with a global factory that the application has set. */
  @TestFactory
  Stream<DynamicTest> rmiThroughAGlobalFactoryOfPlainSocketsIsRmi() throws Exception {
    InsideServers servers = InsideServers.start(directory, hosts);
    ProbeRun probe =
        new ProbeRun(
            "factory",
            directory,
            List.of(
                hosts.outsideOption(),
                javaagent(",sockets=*:*"),
                "-D" + ContractProbe.OWN_FACTORY + "=true"),
            ProbeRun.inside(servers, 200, 1),
            Duration.ofSeconds(90));
    return Stream.concat(
            probe.tests(Way.TUNNEL, gateway.jvm()),
            Stream.of(DynamicTest.dynamicTest("nothingIsOpaque", this::expectNothingOpaque)))
        .onClose(
            () -> {
              probe.close();
              try {
                servers.close();
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
  }

  private void expectNothingOpaque() throws Exception {
    assertThat(gateway.metric("rmigate_raw_connections_total")).isZero();
    assertThat(gateway.metric("rmigate_calls_total")).isPositive();
  }

  @Test
  void stubWithAFactoryOfPlainSocketsIsMediated() throws Exception {
    ChildJvm client = client(server(), ",sockets=" + InsideHosts.INSIDE + ":*");

    assertThat(client.output()).contains("answered " + FactoryClient.CALLS);
    Matcher figures =
        client.awaitLine(Pattern.compile("^opaque (\\d+) leases (\\d+) calls (\\d+)$"), SOON);
    assertThat(figures.group(1)).as("opaque connections").isEqualTo("0");
    assertThat(Long.parseLong(figures.group(2))).as("leases answered here").isPositive();
    assertThat(Long.parseLong(figures.group(3))).isGreaterThanOrEqualTo(FactoryClient.CALLS);
    expectNothingOpaque();
  }

  @Test
  void doctorNamesTheKeyForSuchAStub() throws Exception {
    String stub = "rmi://" + InsideHosts.INSIDE + ":" + server() + "/" + Hello.NAME;

    ChildJvm without = doctor(2, stub);
    assertThat(without.output())
        .anyMatch(line -> line.contains("plain RMI"))
        .anyMatch(line -> line.contains("sockets=" + InsideHosts.INSIDE));
    assertThat(without.output()).noneMatch(line -> line.contains("raw:"));

    doctor(0, stub, "--sockets", InsideHosts.INSIDE + ":*");
  }

  private ChildJvm doctor(int exitCode, String... more) throws Exception {
    List<String> arguments =
        new ArrayList<>(
            List.of("doctor", "--gateway", gateway.uri().toString(), "--way", "websocket"));
    arguments.addAll(List.of("--idle", "0s"));
    arguments.addAll(List.of(more));
    ChildJvm doctor =
        ChildJvm.named("doctor" + children.size(), directory)
            .jvmOptions(hosts.outsideOption(), "-Xmx64m")
            .jar(BuiltArtefacts.javaagent())
            .arguments(arguments.toArray(String[]::new))
            .start();
    children.add(doctor);
    assertThat(doctor.awaitExit(SOON)).as(String.join("\n", doctor.output())).isEqualTo(exitCode);
    return doctor;
  }

  /** The name is one inside; without the key the socket looks for it here. */
  @Test
  void withoutTheKeySuchAStubGoesItsOwnWay() throws Exception {
    ChildJvm client = client(server(), "");

    assertThat(client.output()).anyMatch(line -> line.contains("UnknownHostException"));
  }

  private String server() throws Exception {
    ChildJvm server =
        ChildJvm.named("server", directory)
            .jvmOptions(hosts.insideOption(), "-Xmx64m")
            .property("java.rmi.server.hostname", InsideHosts.INSIDE)
            .classPath(
                BuiltArtefacts.codeSource(FactoryServer.class),
                BuiltArtefacts.codeSource(Patience.class),
                BuiltArtefacts.codeSource(SampleServer.class))
            .main(FactoryServer.class.getName())
            .start();
    children.add(server);
    return server.awaitLine(Pattern.compile("^server ready (\\d+)$"), SOON).group(1);
  }

  private ChildJvm client(String port, String sockets) throws Exception {
    ChildJvm client =
        ChildJvm.named("client", directory)
            .jvmOptions(hosts.outsideOption(), "-Xmx64m", javaagent(sockets))
            .classPath(
                BuiltArtefacts.codeSource(FactoryClient.class),
                BuiltArtefacts.codeSource(SampleServer.class))
            .main(FactoryClient.class.getName())
            .arguments(InsideHosts.INSIDE, port)
            .start();
    children.add(client);
    client.awaitLine(Pattern.compile("^bye$"), SOON);
    assertThat(client.awaitExit(SOON)).isZero();
    return client;
  }
}

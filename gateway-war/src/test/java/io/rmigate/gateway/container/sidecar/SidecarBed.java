package io.rmigate.gateway.container.sidecar;

import io.rmigate.gateway.container.ProbeRun;
import io.rmigate.gateway.container.leases.Holding;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.ExportAddress;
import io.rmigate.gateway.testing.InnerAddress;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.OpenGateway;
import io.rmigate.testing.LoopbackPort;
import io.rmigate.testing.Patience;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.TestInfo;

/** Keepers of tokens inside, a gateway, a sidecar, and clients that know nothing of them. */
final class SidecarBed implements AutoCloseable {
  static final Duration SOON = Patience.PATIENCE;
  private static final String BELLS = "io.rmigate.gateway.container.callbacks.";
  private static final String LEASES = "io.rmigate.gateway.container.leases.";

  private final List<ChildJvm> children = new ArrayList<>();
  private final Path directory;
  private final InsideHosts hosts;
  private final String inner = InnerAddress.find().getHostAddress();
  private final int bellPort = LoopbackPort.free();
  private final int otherBellPort = LoopbackPort.free();
  private OpenGateway gateway;
  private URI gatewayUri;
  private ChildJvm sidecar;
  private int started;

  /** In a directory of its own, of that test. */
  static SidecarBed of(TestInfo test) throws IOException {
    return new SidecarBed(
        BuiltArtefacts.workDirectory(test.getTestClass().orElseThrow())
            .resolve(test.getTestMethod().orElseThrow().getName())
            .resolve(Long.toString(System.nanoTime())));
  }

  private SidecarBed(Path directory) throws IOException {
    this.directory = Files.createDirectories(directory);
    hosts = InsideHosts.ofAllTests();
  }

  InsideHosts hosts() {
    return hosts;
  }

  Path directory() {
    return directory;
  }

  /** A gateway that listens for callbacks at {@link #bellPort} and {@link #otherBellPort}. */
  OpenGateway gateway() throws Exception {
    if (gateway == null) {
      gateway =
          OpenGateway.start(
              directory.resolve("gateway"),
              hosts,
              "session: {grace: 2s}",
              OpenGateway.targets(InsideHosts.INSIDE + ":*", InsideHosts.MISSING + ":*"),
              ProbeRun.RULES,
              """
              callbacks:
                address: %s
                from: ['%s']
                allow:
                  - principals: ['*']
                    explicit: [%d, %d]
              """
                  .formatted(inner, inner, bellPort, otherBellPort));
      gatewayUri = gateway.uri();
    }
    return gateway;
  }

  /** A sidecar; returns the port at which it listens first. */
  int sidecar(String... options) throws Exception {
    sidecar =
        ChildJvm.named("sidecar" + started++, directory)
            .jvmOptions(hosts.outsideOption(), "-Xmx64m")
            .jar(BuiltArtefacts.javaagent())
            .arguments("sidecar", "--gateway", gatewayUri.toString())
            .arguments(options)
            .start();
    children.add(sidecar);
    int port =
        Integer.parseInt(
            sidecar
                .awaitLine(Pattern.compile("^rmigate sidecar listens on 127.0.0.1:(\\d+)"), SOON)
                .group(1));
    sidecar.awaitLine(Pattern.compile("^rmigate sidecar ready$"), SOON);
    return port;
  }

  ChildJvm sidecarProcess() {
    return sidecar;
  }

  /** Sidecars from now on come by this port of loopback. */
  void gatewayBehind(int port) {
    gatewayUri = URI.create("http://127.0.0.1:" + port + gateway.uri().getPath());
  }

  /** A server that rings the bells of clients; its registry is at that port. */
  ChildJvm tower(int port) throws Exception {
    ChildJvm tower =
        ChildJvm.named("tower", directory)
            .jvmOptions(hosts.insideOption(), "-Xmx96m")
            .property("java.rmi.server.hostname", InsideHosts.INSIDE)
            .classPath(BuiltArtefacts.codeSource(SidecarBed.class))
            .reusable()
            .main(BELLS + "TowerServer")
            .arguments(Integer.toString(port))
            .start();
    children.add(tower);
    tower.awaitLine(Pattern.compile("^tower ready$"), SOON);
    return tower;
  }

  /** At which bells are exported, and the gateway may listen for them. */
  int bellPort() {
    return bellPort;
  }

  /** Those of a second JVM. */
  int otherBellPort() {
    return otherBellPort;
  }

  /** An option of the sidecar, for bells that this machine has at an address of its own. */
  static String reverse(ExportAddress bells) {
    return "--reverse=" + bells.port() + "=" + bells;
  }

  /** A client with bells at that address, without anything of ours. */
  ChildJvm bells(int socksPort, int towerPort, ExportAddress at) throws Exception {
    ChildJvm client =
        ChildJvm.named("bells" + started++, directory)
            .jvmOptions(hosts.outsideOption(), "-Xmx96m")
            .jvmOptions(bySocks(socksPort).toArray(String[]::new))
            .property("java.rmi.server.hostname", inner)
            .property("bell.at", at)
            .classPath(BuiltArtefacts.codeSource(SidecarBed.class))
            .main(BELLS + "BellClient")
            .arguments(InsideHosts.INSIDE, Integer.toString(towerPort))
            .start();
    children.add(client);
    client.awaitLine(Pattern.compile("^at the tower$"), SOON);
    return client;
  }

  /** Holds tokens weakly, and grants leases of {@code leaseMillis}. */
  ChildJvm keeper(int port, long leaseMillis) throws Exception {
    ChildJvm keeper =
        ChildJvm.named("keeper" + started++, directory)
            .jvmOptions(hosts.insideOption(), "-Xmx96m")
            .property("java.rmi.server.hostname", InsideHosts.INSIDE)
            .property("java.rmi.dgc.leaseValue", leaseMillis)
            .property("sun.rmi.dgc.checkInterval", Math.min(500, leaseMillis / 2))
            .classPath(BuiltArtefacts.codeSource(SidecarBed.class))
            .reusable()
            .main(LEASES + "KeeperServer")
            .arguments(Integer.toString(port))
            .start();
    children.add(keeper);
    keeper.awaitLine(Pattern.compile("^keeper ready"), SOON);
    return keeper;
  }

  /** The options by which the JDK itself goes through a SOCKS server. */
  static List<String> bySocks(int port) {
    return List.of("-DsocksProxyHost=127.0.0.1", "-DsocksProxyPort=" + port);
  }

  /** A client of a keeper, without anything of ours. */
  ChildJvm client(int socksPort, int keeperPort) throws Exception {
    ChildJvm client =
        ChildJvm.named("client" + started++, directory)
            .jvmOptions(hosts.outsideOption(), "-Xmx96m")
            .jvmOptions(bySocks(socksPort).toArray(String[]::new))
            .classPath(BuiltArtefacts.codeSource(SidecarBed.class))
            .main(LEASES + "HoldingClient")
            .arguments(InsideHosts.INSIDE, Integer.toString(keeperPort))
            .start();
    children.add(client);
    client.awaitLine(Pattern.compile("^holding$"), SOON);
    Holding.tell(client, "lookup");
    return client;
  }

  /** A program that is run to its end. */
  ChildJvm run(ChildJvm.Builder program) throws Exception {
    ChildJvm jvm = program.start();
    children.add(jvm);
    jvm.awaitExit(SOON);
    return jvm;
  }

  void awaitLeases(long count) {
    Holding.awaitLeases(gateway, count);
  }

  /** Time passes for the leases inside. */
  void awaitRenewals(int more) {
    Holding.awaitRenewals(gateway, more);
  }

  @Override
  public void close() {
    for (int i = children.size() - 1; i >= 0; i--) { // clients end before what they use
      if (children.get(i).isAlive()) {
        children.get(i).close();
      }
    }
    if (gateway != null) {
      gateway.close();
    }
  }
}

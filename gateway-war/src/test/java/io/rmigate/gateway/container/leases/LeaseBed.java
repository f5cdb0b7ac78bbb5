package io.rmigate.gateway.container.leases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.CountingRelay;
import io.rmigate.gateway.testing.InsideHosts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Keepers, a gateway on a port that stays its own, a relay before it, and clients. */
final class LeaseBed implements AutoCloseable {
  static final Duration SOON = Duration.ofSeconds(30);
  private static final Pattern ANSWER = Pattern.compile("^(?:done|failed) .*$");
  private static final Pattern DONE = Pattern.compile("^done .+$");

  private final Path directory;
  private final InsideHosts hosts;
  private final String settings;
  private final int gatewayPort = freePort();
  private final HttpClient http = HttpClient.newHttpClient();
  private final List<ChildJvm> children = new ArrayList<>();
  private final CountingRelay relay;
  private ChildJvm gateway;
  private int started;

  /**
   * @param settings of the gateway, besides those that let everybody in and permit all of {@link
   *     InsideHosts#INSIDE}
   */
  LeaseBed(Path directory, String... settings) throws Exception {
    this.directory = directory;
    this.settings = String.join("\n", settings);
    hosts = InsideHosts.write(directory);
    startGateway();
    relay = CountingRelay.to(gatewayPort);
  }

  void startGateway() throws Exception {
    Path own = Files.createDirectories(directory.resolve("gateway"));
    Path file = own.resolve("rmigate.yaml");
    Files.writeString(
        file,
        """
        listen: 127.0.0.1:%d
        path: /rmigate
        insecure: true
        state: '%s'
        metrics: open
        admin:
          principals: [anonymous]
        logins:
          anonymous: true
        targets:
          - principals: ['*']
            allow: ['%s:*']
        %s
        """
            .formatted(gatewayPort, own.resolve("state"), InsideHosts.INSIDE, settings));
    gateway =
        ChildJvm.named("gateway" + started++, own)
            .jvmOptions(hosts.insideOption(), "-Xmx128m")
            .temporary(own.resolve("tmp-gateway"))
            .jar(BuiltArtefacts.war())
            .arguments("--config", file.toString())
            .start();
    gateway.awaitLine(Pattern.compile("^rmigate ready "), SOON);
  }

  ChildJvm gateway() {
    return gateway;
  }

  CountingRelay relay() {
    return relay;
  }

  /** A keeper that grants leases of so many milliseconds. */
  ChildJvm keeper(int port, long leaseMillis) throws Exception {
    return keeper(
        port,
        leaseMillis,
        hosts.insideOption(),
        "-Djava.rmi.server.hostname=" + InsideHosts.INSIDE);
  }

  /**
   * A keeper whose stubs say what {@code host} is; it is at {@link InsideHosts#INSIDE} all the
   * same.
   */
  ChildJvm keeperThatCallsItself(String host, int port, long leaseMillis) throws Exception {
    return keeper(port, leaseMillis, hosts.insideOption(), "-Djava.rmi.server.hostname=" + host);
  }

  /** A keeper that nobody has told where it is, on a machine whose name resolves to 127.0.1.1. */
  ChildJvm keeperThatKnowsNothing(int port, long leaseMillis) throws Exception {
    Path file = directory.resolve("hosts-of-keeper");
    Files.writeString(
        file, "127.0.0.1 localhost\n127.0.1.1 " + InetAddress.getLocalHost().getHostName() + "\n");
    return keeper(port, leaseMillis, "-Djdk.net.hosts.file=" + file);
  }

  private ChildJvm keeper(int port, long leaseMillis, String... options) throws Exception {
    ChildJvm keeper =
        ChildJvm.named("keeper" + started++, directory)
            .jvmOptions("-Xmx96m")
            .jvmOptions(options)
            .property("java.rmi.dgc.leaseValue", leaseMillis)
            .property("sun.rmi.dgc.checkInterval", Math.min(500, leaseMillis / 2))
            .classPath(BuiltArtefacts.codeSource(KeeperServer.class))
            .main(KeeperServer.class.getName())
            .arguments(Integer.toString(port))
            .start();
    children.add(keeper);
    keeper.awaitLine(Pattern.compile("^keeper ready"), SOON);
    return keeper;
  }

  /** A client that knows the keeper; {@code more} are further arguments of the javaagent. */
  ChildJvm client(int keeperPort, String more) throws Exception {
    ChildJvm client =
        ChildJvm.named("client" + started++, directory)
            .jvmOptions(
                hosts.outsideOption(),
                "-Xmx96m",
                "-javaagent:"
                    + BuiltArtefacts.javaagent()
                    + "=http://127.0.0.1:"
                    + relay.port()
                    + "/rmigate,tunnel=*:*" // nothing but leases is to be counted
                    + ",lookups=off"
                    + (more.contains("compression=") ? "" : ",compression=off")
                    + more)
            .classPath(BuiltArtefacts.codeSource(HoldingClient.class))
            .main(HoldingClient.class.getName())
            .arguments(InsideHosts.INSIDE, Integer.toString(keeperPort))
            .start();
    children.add(client);
    client.awaitLine(Pattern.compile("^holding$"), SOON);
    tell(client, "lookup");
    return client;
  }

  /** A command that must go well. */
  static void tell(ChildJvm client, String command) throws InterruptedException {
    String answer = client.ask(command, ANSWER, SOON).group();
    assertThat(answer).as(command).matches(DONE);
  }

  /** A command and what is answered. */
  static String ask(ChildJvm client, String command) throws InterruptedException {
    return client.ask(command, ANSWER, SOON).group();
  }

  static long unreferenced(ChildJvm keeper, String prefix) {
    return keeper.output().stream()
        .filter(line -> line.startsWith("unreferenced " + prefix))
        .count();
  }

  static void awaitUnreferenced(ChildJvm keeper, String prefix, int count) {
    await().atMost(SOON).until(() -> unreferenced(keeper, prefix) == count);
  }

  /** As the gateway shows it; -1 while there is no gateway. */
  long metric(String name) {
    try {
      return get("/metrics")
          .lines()
          .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
          .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
          .sum();
    } catch (IOException notThere) {
      return -1;
    }
  }

  /** Objects held, of all sessions. */
  long leases() {
    return metric("rmigate_leases");
  }

  void awaitLeases(long count) {
    await().atMost(SOON).until(this::leases, is -> is == count);
  }

  /**
   * Waits until so many DgcAcks have been passed on: behind them nothing of a Return is under way.
   */
  void awaitAcks(int count) {
    await().atMost(SOON).until(() -> metric("rmigate_leases_acks_total"), is -> is == count);
  }

  /** A file for clients. */
  Path file(String name) {
    return directory.resolve(name);
  }

  /** What the gateway answers there. */
  String get(String path) throws IOException {
    try {
      return http.send(
              HttpRequest.newBuilder(
                      URI.create("http://127.0.0.1:" + gatewayPort + "/rmigate" + path))
                  .build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Waits until the gateway has made so many dirty calls more: time passes for the leases. */
  void awaitRenewals(int more) {
    long before = metric("rmigate_leases_dirty_total");
    await().atMost(SOON).until(() -> metric("rmigate_leases_dirty_total") >= before + more);
  }

  static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  @Override
  public void close() throws IOException {
    for (ChildJvm child : children) {
      if (child.isAlive()) {
        child.close();
      }
    }
    if (gateway.isAlive()) {
      gateway.close();
    }
    relay.close();
  }
}

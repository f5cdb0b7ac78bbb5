package io.rmigate.gateway.container.leases;

import static org.awaitility.Awaitility.await;

import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.CountingRelay;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.OpenGateway;
import io.rmigate.testing.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Keepers, a gateway on a port that stays its own, a relay before it, and clients. */
final class LeaseBed implements AutoCloseable {
  static final Duration SOON = Patience.PATIENCE;
  private static final String EVERYTHING = InsideHosts.INSIDE + ":*";
  private static final long UNACKNOWLEDGED_MILLIS = 10_000;

  /**
   * What is left of a lease when its gateway is killed is two thirds of it at least, and the next
   * gateway has to start, hear from the client and renew in that time.
   */
  private static final int STARTS_IN_A_LEASE = 12;

  private static final long SHORTEST_OUTLIVING_MILLIS = 15_000;

  private final Path directory;
  private final InsideHosts hosts;
  private final List<ChildJvm> children = new ArrayList<>();
  private final OpenGateway gateway;
  private final CountingRelay relay;
  private final long outlivingMillis;
  private int started;

  /**
   * @param settings of the gateway, besides those that let everybody in and permit all of {@link
   *     InsideHosts#INSIDE}
   */
  LeaseBed(Path directory, String... settings) throws Exception {
    this(OpenGateway.targets(EVERYTHING), directory, settings);
  }

  private LeaseBed(String targets, Path directory, String... settings) throws Exception {
    this.directory = directory;
    hosts = InsideHosts.ofAllTests();
    long begun = System.nanoTime();
    gateway =
        OpenGateway.start(
            directory.resolve("gateway"), hosts, targets, String.join("\n", settings));
    long startMillis = Duration.ofNanos(System.nanoTime() - begun).toMillis();
    outlivingMillis = Math.max(SHORTEST_OUTLIVING_MILLIS, STARTS_IN_A_LEASE * startMillis);
    relay = CountingRelay.to(gateway.port());
  }

  /** A bed whose gateway permits only that target. */
  static LeaseBed allowing(String target, Path directory, String... settings) throws Exception {
    return new LeaseBed(OpenGateway.targets(target), directory, settings);
  }

  /**
   * Where objects may be called that the session was not given. So none is granted either, as those
   * would be that have been held for some seconds: for what counts all that passes, takes
   * references from elsewhere, or cuts links that are not resumed before anything can have been
   * granted.
   */
  static LeaseBed ofAnyObjects(Path directory, String... settings) throws Exception {
    return new LeaseBed(
        OpenGateway.targets(EVERYTHING) + "\n    received-objects: false", directory, settings);
  }

  OpenGateway gateway() {
    return gateway;
  }

  CountingRelay relay() {
    return relay;
  }

  /**
   * A lease, in milliseconds, that a gateway can be killed and started again in: several times what
   * this one's start has taken, so on a busy machine a longer one.
   */
  long outlivingMillis() {
    return outlivingMillis;
  }

  /** A keeper that grants leases of {@code leaseMillis}. */
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

  /**
   * A keeper whose stubs say what {@code host} is, and whose objects are at a port of their own.
   */
  ChildJvm keeperThatCallsItself(String host, int port, int objectPort, long leaseMillis)
      throws Exception {
    return keeper(
        port,
        leaseMillis,
        hosts.insideOption(),
        "-Djava.rmi.server.hostname=" + host,
        "-D" + KeeperServer.OBJECT_PORT + "=" + objectPort);
  }

  /** A keeper without {@code java.rmi.server.hostname}, on a machine whose name is 127.0.1.1. */
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
            // How long it keeps a returned object whose DgcAck never came.
            .property("sun.rmi.dgc.ackTimeout", UNACKNOWLEDGED_MILLIS)
            .classPath(BuiltArtefacts.codeSource(KeeperServer.class))
            .reusable()
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
                    + "/rmigate,tunnel=*:*,way=websocket" // nothing but leases is to be counted
                    + (more.contains("lookups=") ? "" : ",lookups=off")
                    + (more.contains("compression=") ? "" : ",compression=off")
                    + more)
            .classPath(BuiltArtefacts.codeSource(HoldingClient.class))
            .main(HoldingClient.class.getName())
            .arguments(InsideHosts.INSIDE, Integer.toString(keeperPort))
            .start();
    children.add(client);
    client.awaitLine(Pattern.compile("^holding$"), SOON);
    Holding.tell(client, "lookup");
    return client;
  }

  /** Objects held, of all sessions. */
  long leases() {
    return gateway.metric("rmigate_leases");
  }

  void awaitLeases(long count) {
    Holding.awaitLeases(gateway, count);
  }

  /** Waits until {@code objects} objects have been granted: a later session may call those. */
  void awaitGranted(int objects) {
    await()
        .atMost(SOON)
        .until(() -> gateway.metric("rmigate_grants_objects_total"), is -> is == objects);
  }

  /** Waits until {@code count} DgcAcks have been relayed: all their Returns have arrived. */
  void awaitAcks(int count) {
    await()
        .atMost(SOON)
        .until(() -> gateway.metric("rmigate_leases_acks_total"), is -> is == count);
  }

  /** A file for clients, or for the gateway. */
  Path file(String name) {
    return directory.resolve(name);
  }

  /** Waits until the gateway has made {@code more} further dirty calls, and so renewed leases. */
  void awaitRenewals(int more) {
    Holding.awaitRenewals(gateway, more);
  }

  @Override
  public void close() throws IOException {
    for (ChildJvm child : children) {
      if (child.isAlive()) {
        child.close();
      }
    }
    gateway.close();
    relay.close();
  }
}

package io.rmigate.gateway.container.lookups;

import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.CountingRelay;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.OpenGateway;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.sample.SampleServer;
import io.rmigate.testing.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The sample server, a gateway that watches its registry, a relay that counts, and clients. */
final class LookupBed implements AutoCloseable {
  static final Duration SOON = Patience.PATIENCE;

  /** Of this machine, where no server listens. */
  private static final InetAddress OTHER_ADDRESS = otherAddress();

  private final List<ChildJvm> children = new ArrayList<>();
  private final Path directory;
  private final InsideHosts hosts;
  private final List<OpenGateway> gateways = new ArrayList<>();

  /** One before each gateway. */
  private final List<CountingRelay> relays = new ArrayList<>();

  /** Which gateway is the first that is left. */
  private int first;

  private int registryPort;
  private int started;

  LookupBed(Path directory) throws Exception {
    this.directory = Files.createDirectories(directory);
    hosts = InsideHosts.ofAllTests();
  }

  /**
   * Listens at 127.0.0.1 only: what its stubs say leads nowhere, unless it is inside.example.
   *
   * @param more options of the JVM
   */
  ChildJvm server(String hostInStubs, String... more) throws Exception {
    return server(hostInStubs, 0, 0, more);
  }

  /** At ports that another one has had; 0 is any free one. */
  ChildJvm server(String hostInStubs, int registry, int objects, String... more) throws Exception {
    ChildJvm server =
        ChildJvm.named("server" + started++, directory)
            .jvmOptions(hosts.insideOption(), "-Xmx500m")
            .jvmOptions(more)
            .property("java.rmi.server.hostname", hostInStubs)
            .classPath(BuiltArtefacts.codeSource(SampleServer.class))
            .reusable()
            .main(SampleServer.class.getName())
            .arguments(
                "--bind",
                "127.0.0.1",
                "--registry-port",
                Integer.toString(registry),
                "--object-port",
                Integer.toString(objects))
            .start();
    children.add(server);
    registryPort =
        Integer.parseInt(server.awaitLine(Pattern.compile("^sample ready (\\d+)$"), SOON).group(1));
    return server;
  }

  int registryPort() {
    return registryPort;
  }

  /**
   * After the server, whose registry it may be told of. Clients use the first that there is.
   *
   * @param more lines of its configuration
   */
  void gateway(String more) throws Exception {
    OpenGateway gateway =
        OpenGateway.start(
            directory.resolve("gateway" + gateways.size()),
            hosts,
            OpenGateway.targets(InsideHosts.INSIDE + ":*"),
            "    registry: [lookup, list, rebind]",
            more);
    gateways.add(gateway);
    relays.add(CountingRelay.to(gateway.port()));
  }

  /** The first gateway has gone, and the next one is what is asked for here. */
  void killGateway() throws Exception {
    gateway().kill();
    relay().close();
    first++;
  }

  private CountingRelay relay() {
    return relays.get(first);
  }

  /**
   * A client whose link is counted, without compression: {@code auto} would measure the link, and
   * that would be counted too.
   *
   * @param arguments further ones of the javaagent
   * @param more options of the JVM
   */
  ChildJvm client(String arguments, String... more) throws Exception {
    return client(Compression.OFF, arguments, more);
  }

  /** A client whose link is counted, with or without compression. */
  ChildJvm client(Compression compression, String arguments, String... more) throws Exception {
    List<String> options = new ArrayList<>(List.of(more));
    options.add(hosts.outsideOption());
    options.add(
        "-javaagent:%s=%s,way=websocket,compression=%s%s"
            .formatted(BuiltArtefacts.javaagent(), uris(), compression.text(), arguments));
    return looking(options.toArray(String[]::new));
  }

  private ChildJvm looking(String... options) throws Exception {
    ChildJvm client =
        ChildJvm.named("client" + started++, directory)
            .jvmOptions(options)
            .classPath(
                BuiltArtefacts.codeSource(SampleServer.class),
                BuiltArtefacts.codeSource(LookingClient.class))
            .main(LookingClient.class.getName())
            .arguments(InsideHosts.INSIDE, Integer.toString(registryPort))
            .start();
    children.add(client);
    client.awaitLine(Pattern.compile("^looking$"), SOON);
    return client;
  }

  /** A client without rmigate, for which the servers are where {@link #besides} listens. */
  ChildJvm plainClient() throws Exception {
    Path others = directory.resolve("hosts-of-plain-client");
    Files.writeString(
        others,
        "127.0.0.1 localhost %s%n%s %s%n"
            .formatted(
                InetAddress.getLocalHost().getHostName(),
                OTHER_ADDRESS.getHostAddress(),
                InsideHosts.INSIDE));
    return looking("-Djdk.net.hosts.file=" + others);
  }

  private static InetAddress otherAddress() {
    try {
      return InetAddress.getByAddress(new byte[] {127, 0, 0, 2});
    } catch (UnknownHostException impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** Takes the place of that server's port for a plain client. The caller must close it. */
  CountingRelay besides(int port) throws IOException {
    return CountingRelay.at(
        OTHER_ADDRESS, port, new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
  }

  private String uris() {
    return relays.stream()
        .map(relay -> "http://127.0.0.1:" + relay.port() + "/rmigate")
        .collect(Collectors.joining("|"));
  }

  /** Inside, past the gateway: what is bound to {@code from} is bound to {@code to} too. */
  void rebind(String from, String to) throws Exception {
    try (ChildJvm rebinder =
        ChildJvm.named("rebinder" + started++, directory)
            .jvmOptions(hosts.insideOption())
            .classPath(
                BuiltArtefacts.codeSource(SampleServer.class),
                BuiltArtefacts.codeSource(Rebinder.class))
            .main(Rebinder.class.getName())
            .arguments(InsideHosts.INSIDE, Integer.toString(registryPort), from, to)
            .start()) {
      rebinder.awaitLine(Pattern.compile("^rebound$"), SOON);
    }
  }

  static String ask(ChildJvm client, String what) throws InterruptedException {
    Matcher answer = client.ask(what, Pattern.compile("^did " + what + " (.*)$"), SOON);
    return answer.group(1);
  }

  /** Round trips on the link that it takes. */
  long trips(ChildJvm client, String what, String answer) throws InterruptedException {
    CountingRelay.Counts before = relay().counts();
    assertThat(ask(client, what)).contains(answer);
    return relay().counts().since(before).roundTrips();
  }

  OpenGateway gateway() {
    return gateways.get(first);
  }

  void awaitMetric(String name, long atLeast) {
    await().until(() -> gateway().metric(name) >= atLeast);
  }

  @Override
  public void close() throws IOException {
    for (int i = children.size() - 1; i >= 0; i--) {
      children.get(i).close(); // clients before servers, which were started before them
    }
    gateways.forEach(OpenGateway::close);
    for (CountingRelay relay : relays) {
      relay.close();
    }
  }
}

package io.rmigate.perf.papers;

import io.rmigate.perf.harness.Artefacts;
import io.rmigate.perf.harness.ChildJvm;
import io.rmigate.perf.link.EmulatedLink;
import io.rmigate.perf.link.LinkProfile;
import io.rmigate.perf.link.TrafficRecord;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What stays while clients come and go: the server and the gateway, and a link of each contestant's
 * own, so that what one leaves behind is not in the way of another.
 *
 * <pre>
 * client ── 127.0.0.2, the server's ports ══ link ══ 127.0.0.1 server        plain RMI
 * client + agent ── 127.0.0.1, any port ══ link ══ gateway ── 127.0.0.1 server
 * </pre>
 *
 * The stubs name {@code inside.example}, which is 127.0.0.1 for the gateway and 127.0.0.2 for the
 * client, so that plain RMI finds registry and objects behind the link on the ports that stand in
 * its stubs. The server to practise with is {@code practice.example} and not behind the link; with
 * mediators there is a javaagent of its own for it, with a session of its own, so that theirs are
 * practised too. Used by one thread.
 */
final class Bench implements AutoCloseable {
  private static final String INSIDE = "inside.example";
  private static final String PRACTICE = "practice.example";
  private static final String SERVER = "127.0.0.1";
  private static final String RELAY = "127.0.0.2";

  /** Time beyond a round trip that a server may take for an answer. */
  private static final Duration QUIET = Duration.ofMillis(300);

  private static final Duration LONGEST = Duration.ofMinutes(5);

  private final Artefacts built;
  private final Path jdk;
  private final List<ChildJvm> jvms = new ArrayList<>();
  private final Map<Contestant, Side> sides = new EnumMap<>(Contestant.class);
  private final LinkProfile profile;
  private Path clientHosts;
  private String registry;
  private String practice;

  /**
   * A contestant's link.
   *
   * @param agents arguments of the JVM that start the javaagents; none for plain RMI
   */
  private record Side(EmulatedLink link, TrafficRecord record, List<String> agents) {}

  private Bench(Artefacts built, Path jdk, LinkProfile profile) {
    this.built = built;
    this.jdk = jdk;
    this.profile = profile;
  }

  static Bench start(Artefacts built, Path jdk, LinkProfile profile, boolean registryOnly)
      throws IOException {
    Bench bench = new Bench(built, jdk, profile);
    try {
      bench.startAll(registryOnly);
      return bench;
    } catch (IOException | RuntimeException e) {
      bench.close();
      throw e;
    }
  }

  private void startAll(boolean registryOnly) throws IOException {
    Path insideHosts = hosts("inside.hosts", SERVER + " localhost " + INSIDE + " " + PRACTICE);
    clientHosts = hosts("client.hosts", SERVER + " localhost " + PRACTICE, RELAY + " " + INSIDE);
    List<String> ports = server("server", insideHosts, INSIDE);
    registry = ports.get(0);
    practice = server("practice", insideHosts, PRACTICE).get(0);
    List<String> arguments = new ArrayList<>(hosts(insideHosts));
    arguments.addAll(
        built.gateway(INSIDE + ":" + (registryOnly ? registry : "*"), PRACTICE + ":*"));
    URI gateway = URI.create(start("gateway", arguments).await("rmigate ready"));
    for (Contestant contestant : Contestant.values()) {
      TrafficRecord record = new TrafficRecord(profile);
      EmulatedLink link = new EmulatedLink(profile, record);
      List<String> agents = new ArrayList<>();
      if (contestant.agentArguments().isPresent()) {
        int port = link.listen(at(SERVER, 0), at(SERVER, gateway.getPort()));
        String more = "," + contestant.agentArguments().get();
        agents.add(agent(gateway, gateway.getPort(), PRACTICE) + more);
        agents.add(agent(gateway, port, INSIDE) + more);
      } else {
        for (String port : ports) { // the registry and the objects, each on its own
          link.listen(at(RELAY, Integer.parseInt(port)), at(SERVER, Integer.parseInt(port)));
        }
      }
      sides.put(contestant, new Side(link, record, agents));
    }
  }

  /** The argument that starts a JVM with the javaagent. */
  private String agent(URI gateway, int port, String target) {
    return "-javaagent:%s=http://%s:%d%s,tunnel=%s:*"
        .formatted(built.agent(), SERVER, port, gateway.getPath(), target);
  }

  private Path hosts(String file, String... lines) throws IOException {
    return Files.write(built.logs().resolve(file), List.of(lines));
  }

  private static List<String> hosts(Path file) {
    return List.of("-Xmx256m", "-Djdk.net.hosts.file=" + file);
  }

  private List<String> server(String name, Path hosts, String hostname) throws IOException {
    List<String> arguments = new ArrayList<>(hosts(hosts));
    arguments.add("-Djava.rmi.server.hostname=" + hostname);
    arguments.addAll(
        List.of("-cp", built.programClassPath(), PapersServer.class.getName(), SERVER));
    return List.of(start(name, arguments).await("papers ready").split(" ", -1));
  }

  private ChildJvm start(String name, List<String> arguments) throws IOException {
    ChildJvm jvm = jvm(name, arguments);
    jvms.add(jvm);
    return jvm;
  }

  private ChildJvm jvm(String name, List<String> arguments) throws IOException {
    return ChildJvm.start(name, jdk, -1, built.logs().resolve(name + ".log"), arguments);
  }

  private static InetSocketAddress at(String address, int port) throws IOException {
    return new InetSocketAddress(InetAddress.getByName(address), port);
  }

  /** Starts a client, lets it do the workload, and ends it. */
  Run run(Contestant contestant, Workload workload, long seed) throws IOException {
    Side side = sides.get(contestant);
    List<String> arguments = new ArrayList<>(hosts(clientHosts));
    arguments.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    arguments.addAll(side.agents());
    arguments.addAll(
        List.of(
            "-cp",
            built.programClassPath(),
            PapersClient.class.getName(),
            workload.name(),
            Long.toString(seed),
            INSIDE,
            registry,
            PRACTICE,
            practice));
    try (ChildJvm client = jvm("client-" + workload.label(), arguments)) {
      client.await("client ready");
      awaitQuiet(side);
      side.record().clear();
      List<Phase> phases = new ArrayList<>();
      if (!side.agents().isEmpty()) {
        phases.addAll(Phase.parse(client.ask("link", LONGEST)));
        awaitQuiet(side);
      }
      phases.addAll(Phase.parse(client.ask("run", LONGEST)));
      awaitQuiet(side);
      return new Run(contestant, workload, parts(side.record(), phases));
    }
  }

  private void awaitQuiet(Side side) throws IOException {
    side.link().awaitQuiet(profile.roundTrip().plus(QUIET), LONGEST);
  }

  /** Each phase reaches to the beginning of the next: what leaves it late belongs to it. */
  private static List<Run.Part> parts(TrafficRecord record, List<Phase> phases) {
    List<Run.Part> parts = new ArrayList<>();
    for (int i = 0; i < phases.size(); i++) {
      boolean last = i == phases.size() - 1;
      long to = last ? phases.get(i).toNanos() : phases.get(i + 1).fromNanos();
      parts.add(part(record, phases.get(i), phases.get(i).fromNanos(), to));
      if (last) {
        parts.add(part(record, new Phase(Run.TAIL, to, to), to, Long.MAX_VALUE));
      }
    }
    return parts;
  }

  private static Run.Part part(TrafficRecord record, Phase phase, long from, long to) {
    return new Run.Part(phase, record.traffic(from, to), record.crossings(from, to));
  }

  @Override
  public void close() {
    jvms.forEach(ChildJvm::close);
    sides.values().forEach(side -> side.link().close());
  }
}

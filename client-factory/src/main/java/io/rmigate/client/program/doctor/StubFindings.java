package io.rmigate.client.program.doctor;

import io.rmigate.client.config.Way;
import io.rmigate.protocol.DestinationPatterns;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.message.LiveReference;
import io.rmigate.protocol.jrmp.message.StubView;
import io.rmigate.protocol.jrmp.message.ThrownView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The findings about the registry, and about the stub bound to the name. */
final class StubFindings {
  private static final String SSL_FACTORY = "javax.rmi.ssl.SslRMIClientSocketFactory";

  /** The bridge that Docker makes by itself, and names that it gives containers. */
  private static final Pattern CONTAINER = Pattern.compile("172\\.17\\.\\d+\\.\\d+|[0-9a-f]{12}");

  private static final int MAX_NAMES = 12;
  private static final String MANAGEMENT = "javax.management.";

  /**
   * The refusal of a port in the words of the operating system. RMI puts {@code Connection refused
   * to host} in front of every failure to connect.
   */
  private static final Pattern PORT_REFUSED = Pattern.compile("Connection refused(?! to host)");

  private static final Pattern NUMBER = Pattern.compile("\\[refusal ([0-9A-Z]+)\\]");

  private final Observations facts;
  private final List<Finding> found = new ArrayList<>();

  private StubFindings(Observations facts) {
    this.facts = facts;
  }

  static List<Finding> of(Observations facts) {
    StubFindings findings = new StubFindings(facts);
    findings.registry();
    if (facts.options().target().orElse(null) instanceof Target.Serialized
        && facts.stub().isEmpty()) {
      findings.found.add(
          Finding.problem(
              "stub.unreadable",
              "The text after /stub/ in the URL is no serialized stub.",
              "No client can connect with this URL.",
              "Was the whole URL copied?"));
    }
    facts.stub().ifPresent(findings::stub);
    return findings.found;
  }

  private void registry() {
    for (ServerProbe visit : facts.visits()) {
      Optional<ServerProbe.Step> registry = visit.registry();
      if (registry.isEmpty()) {
        continue;
      }
      Optional<Obstacle> obstacle = registry.get().obstacle();
      String words = registry.get().words();
      if (obstacle.equals(Optional.of(Obstacle.POLICY))) {
        policy(visit, words);
      } else if (obstacle.equals(Optional.of(Obstacle.POLICY_REPLY))) {
        reply(visit, words);
      } else if (obstacle.equals(Optional.of(Obstacle.NO_OBJECT))) {
        noRegistry(visit, words);
      } else if (visit.way().isLink() && isPortRefused(registry.get())) {
        portRefused(visit, words, server());
      } else if (obstacle.isPresent()) {
        found.add(
            new Finding(
                badness(),
                "registry.unreachable",
                "By " + visit.way().text() + ": " + WayFindings.sentence(registry.get().words()),
                visit.way().isLink()
                    ? "The gateway can be reached, but it cannot reach the registry."
                    : "The registry's port is open, but the registry does not answer.",
                visit.way().isLink()
                    ? "Is " + server() + " the server's name in the network of the gateway?"
                    : "Is the program that listens there a registry?"));
      }
    }
    thrown();
  }

  private void policy(ServerProbe visit, String words) {
    found.add(
        new Finding(
            badness(),
            "gateway.policy",
            "By " + visit.way().text() + ": " + WayFindings.sentence(words),
            "The gateway's policy does not allow this login to connect there.",
            "Add it to rmigate.yaml of the gateway, as shown below." + explanation(words)));
  }

  /** By the number of a refusal the gateway's own command says more than a client is told. */
  private static String explanation(String words) {
    Matcher numbered = NUMBER.matcher(words);
    return numbered.find()
        ? " On the gateway, java -jar rmigate.war policy explain --config rmigate.yaml --refusal "
            + numbered.group(1)
            + " prints the reason and the lines."
        : "";
  }

  /** The visit by which the gateway refused the registry's answer. */
  static Optional<ServerProbe> replyRefused(Observations facts) {
    return facts.visits().stream()
        .filter(
            visit ->
                visit
                    .registry()
                    .flatMap(ServerProbe.Step::obstacle)
                    .equals(Optional.of(Obstacle.POLICY_REPLY)))
        .findFirst();
  }

  /** Whether the target is the JDK's management: its URL says so, or its name, or its stub. */
  static boolean isManagement(Observations facts) {
    return facts
            .options()
            .target()
            .filter(
                target ->
                    target instanceof Target.Bound bound
                        && (bound.management() || bound.name().equals("jmxrmi")))
            .isPresent()
        || facts
            .stub()
            .filter(
                stub ->
                    stub.stubClass().filter(type -> type.startsWith(MANAGEMENT)).isPresent()
                        || stub.interfaces().stream().anyMatch(one -> one.startsWith(MANAGEMENT)))
            .isPresent();
  }

  private void reply(ServerProbe visit, String words) {
    boolean management = isManagement(facts);
    String seen = "By " + visit.way().text() + ": " + WayFindings.sentence(words);
    String classes =
        facts
            .stub()
            .map(StubView::interfaces)
            .filter(interfaces -> !interfaces.isEmpty())
            .map(interfaces -> " (" + String.join(", ", interfaces) + ")")
            .orElse("");
    found.add(
        management
            ? new Finding(
                badness(),
                "gateway.jmx",
                seen,
                "The registry has answered with the stub of the JDK's management, which the"
                    + " gateway hands out only to logins that were granted JMX.",
                "Set jmx: true, or jmx: read for reading only, in the entry of targets in"
                    + " rmigate.yaml, as shown below."
                    + explanation(words))
            : new Finding(
                badness(),
                "gateway.interfaces",
                seen,
                "The registry has answered with a stub whose classes the gateway does not know: the"
                    + " jar of its remote interfaces"
                    + classes
                    + " is not among those in classes.interfaces.",
                "Put that jar into the directory which classes.interfaces of rmigate.yaml names, as"
                    + " shown below."
                    + explanation(words)));
  }

  /** A server of RMI, and no registry: told once, for it is so by every way. */
  private void noRegistry(ServerProbe visit, String words) {
    if (found.stream().noneMatch(finding -> finding.code().equals("registry.none"))) {
      found.add(
          Finding.problem(
              "registry.none",
              "By " + visit.way().text() + ": " + WayFindings.sentence(words),
              "An RMI server listens at "
                  + server()
                  + ", but this is the port of its objects and has no registry.",
              "Use the registry's port, that of LocateRegistry.createRegistry or rmiregistry: "
                  + Target.REGISTRY_PORT
                  + " by default."));
    }
  }

  /** Whether the target machine has refused the connection: no program listens at that port. */
  private static boolean isPortRefused(ServerProbe.Step step) {
    return step.obstacle().equals(Optional.of(Obstacle.REFUSED))
        && PORT_REFUSED.matcher(step.words()).find();
  }

  private void portRefused(ServerProbe visit, String words, String place) {
    boolean isServer = place.equals(server());
    found.add(
        new Finding(
            badness(),
            isServer ? "server.down" : "stub.down",
            "By " + visit.way().text() + ": " + WayFindings.sentence(words),
            "The gateway reaches the machine, which answers that no program listens at "
                + place
                + (isServer
                    ? ": the server is not running, or its registry has another port."
                    : ": the server that has bound the object has ended, and the registry, which"
                        + " outlives it, still hands out its stub."),
            isServer
                ? "Start the server, and list the ports at which it listens on its machine (ss"
                    + " -ltn)."
                : "Restart the server, so that it binds its objects again."));
  }

  /**
   * Reports the exception that the registry itself throws, once, because it is the same by every
   * way.
   */
  private void thrown() {
    Optional<ServerProbe> visit =
        facts.visits().stream()
            .filter(v -> v.registry().map(ServerProbe.Step::isDone).orElse(false))
            .filter(v -> v.thrown().isPresent())
            .findFirst();
    if (visit.isEmpty()) {
      return;
    }
    ThrownView thrown = visit.get().thrown().orElseThrow();
    if (thrown.type().equals("java.rmi.NotBoundException")) {
      List<String> names = visit.get().names();
      found.add(
          Finding.problem(
              "registry.not-bound",
              "The registry at " + server() + " has nothing bound to '" + name() + "'.",
              names.isEmpty()
                  ? "This registry is empty: the server may not have started yet, or uses another"
                      + " registry."
                  : "Names that are bound there: "
                      + String.join(", ", names.subList(0, Math.min(MAX_NAMES, names.size())))
                      + (names.size() > MAX_NAMES ? ", and more" : "")
                      + ".",
              "Check the name. Upper and lower case differ."));
    } else {
      found.add(
          Finding.problem(
              "registry.throws",
              "The registry at " + server() + " answers with " + thrown + ".",
              "The registry works, but it does not hand out the stub.",
              ""));
    }
  }

  private void stub(StubView stub) {
    String endpoint = Observations.endpoint(stub).toString();
    host(stub, endpoint);
    factory(stub, endpoint);
    if (!stub.codebases().isEmpty()) {
      found.add(
          Finding.note(
              "stub.codebase",
              "The stub names a codebase for its classes: "
                  + String.join(", ", stub.codebases())
                  + ".",
              "JDKs since 24 do not load classes from there, older ones only with"
                  + " java.rmi.server.useCodebaseOnly=false, which is dangerous.",
              "Add the remote interfaces to the client's class path."));
    }
    object(stub, endpoint);
  }

  private void host(StubView stub, String endpoint) {
    String host = stub.reference().host();
    boolean loopback = DestinationPatterns.isLoopback(host);
    boolean local = server().startsWith("localhost:") || isLoopbackRegistry();
    if (loopback && !local) {
      place(
          "stub.loopback",
          "The stub leads to " + endpoint + ", which is the client's own machine.",
          "The server does not know its own name: a client of this stub connects to itself and"
              + " gets a java.rmi.ConnectException.",
          stub);
    } else if (CONTAINER.matcher(host).matches()) {
      place(
          "stub.container",
          "The stub leads to " + endpoint + ", which looks like the inside of a container.",
          "Only the container's own machine can reach that address.",
          stub);
    } else if (unknownHere(host) && !host.equals(registryHost())) {
      place(
          "stub.name-unknown",
          "The stub leads to " + endpoint + ", a name that has no address here.",
          "Plain RMI fails with java.rmi.UnknownHostException.",
          stub);
    }
  }

  private boolean unknownHere(String host) {
    Optional<Obstacle> obstacle =
        facts.visit(Way.DIRECT).flatMap(ServerProbe::object).flatMap(ServerProbe.Step::obstacle);
    return obstacle.equals(Optional.of(Obstacle.NAME_UNKNOWN)) && !host.isEmpty();
  }

  private void place(String code, String seen, String meaning, StubView stub) {
    boolean throughLink = reachedByLink();
    String own =
        "On the server, -Djava.rmi.server.hostname="
            + registryHost()
            + " corrects the stub for all clients.";
    if (throughLink) {
      found.add(
          Finding.note(
              code,
              seen,
              meaning
                  + " Through the gateway it works: the gateway leads such stubs to the host of"
                  + " their registry.",
              own));
    } else {
      found.add(
          new Finding(
              facts.leading().isEmpty() ? Level.PROBLEM : Level.WARNING,
              code,
              seen,
              meaning,
              own
                  + (code.equals("stub.container")
                      ? " Or let the gateway lead it to another host: map: [{host: "
                          + stub.reference().host()
                          + "}] in its rmigate.yaml."
                      : facts.options().hasGateway()
                          ? " Or let the gateway correct it: map-loopback: true in its"
                              + " rmigate.yaml."
                          : " Or go through an rmigate gateway, which corrects it by itself.")));
    }
  }

  private boolean reachedByLink() {
    return facts.visits().stream()
        .filter(visit -> visit.way().isLink())
        .anyMatch(visit -> visit.object().map(ServerProbe.Step::isDone).orElse(false));
  }

  private void factory(StubView stub, String endpoint) {
    if (stub.factory().isEmpty()) {
      return;
    }
    String factory = stub.factory().get();
    boolean named =
        facts
            .options()
            .config()
            .sockets()
            .matches(stub.reference().host(), stub.reference().port());
    Optional<ServerProbe> helped =
        facts.visits().stream().filter(ServerProbe::isHelpedBySockets).findFirst();
    boolean rawMissing =
        helped
            .flatMap(ServerProbe::object)
            .flatMap(ServerProbe.Step::obstacle)
            .equals(Optional.of(Obstacle.POLICY_RAW));
    found.add(
        new Finding(
            helped.isPresent() && !named ? Level.WARNING : Level.NOTE,
            "stub.factory",
            "The stub brings its own socket factory, " + factory + ".",
            (factory.equals(SSL_FACTORY)
                    ? "Calls go over TLS from end to end"
                    : "Calls use the sockets that it makes")
                + ", not those of RMI's socket factory. The key sockets leads them to the gateway,"
                + " which mediates plain RMI and forwards TLS unread. Sockets of a SocketChannel"
                + " cannot be led there.",
            helped.isPresent() && !named
                ? "Set sockets="
                    + endpoint
                    + (rawMissing ? ", and add it to raw: of rmigate.yaml" : "")
                    + ", as shown below."
                : ""));
  }

  private void object(StubView stub, String endpoint) {
    for (ServerProbe visit : facts.visits()) {
      Optional<Obstacle> obstacle = visit.object().flatMap(ServerProbe.Step::obstacle);
      if (obstacle.isEmpty()
          || obstacle.get() == Obstacle.NEEDS_SOCKETS
          || (!visit.way().isLink() && explained(stub))) {
        continue;
      }
      String words = WayFindings.sentence(visit.object().orElseThrow().words());
      String seen = "By " + visit.way().text() + ", the object at " + endpoint + ": " + words;
      if (visit.way().isLink() && isPortRefused(visit.object().orElseThrow())) {
        portRefused(visit, visit.object().orElseThrow().words(), endpoint);
        continue;
      }
      switch (obstacle.get()) {
        case POLICY, POLICY_RAW ->
            found.add(
                new Finding(
                    badness(),
                    "gateway.policy",
                    seen,
                    "The gateway's policy does not allow this login to connect to the address in"
                        + " the stub.",
                    "Add it to rmigate.yaml of the gateway, as shown below." + explanation(words)));
        case NO_OBJECT ->
            found.add(
                Finding.problem(
                    "stub.stale",
                    seen,
                    "The server answers that it no longer has this object: it was restarted, or"
                        + " has dropped the object, and the registry still hands out the old stub.",
                    "Let the server bind its objects again, and keep a strong reference to them."));
        default ->
            found.add(
                new Finding(
                    badness(),
                    "stub.unreachable",
                    seen,
                    "The registry can be reached this way, but the object cannot: its port is"
                        + " another one, which plain RMI chooses at each start.",
                    visit.way().isLink()
                        ? "Is "
                            + stub.reference().host()
                            + " the server's name in the network of the gateway?"
                        : "Export the object at a fixed port and open that in the firewall, or go"
                            + " through the gateway."));
      }
    }
  }

  /** Whether another finding already reports the problem with the host. */
  private boolean explained(StubView stub) {
    LiveReference reference = stub.reference();
    return DestinationPatterns.isLoopback(reference.host())
        || CONTAINER.matcher(reference.host()).matches()
        || unknownHere(reference.host());
  }

  private Level badness() {
    return facts.leading().isEmpty() ? Level.PROBLEM : Level.NOTE;
  }

  private boolean isLoopbackRegistry() {
    return DestinationPatterns.isLoopback(registryHost());
  }

  private String registryHost() {
    return facts.endpoint().map(EndpointId::host).orElse("the server's name");
  }

  private String server() {
    return facts.endpoint().map(EndpointId::toString).orElse("the server");
  }

  private String name() {
    return facts.options().target().orElse(null) instanceof Target.Bound bound ? bound.name() : "";
  }
}

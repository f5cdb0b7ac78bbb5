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

/** What the registry and the stub behind the name say, and what follows from it. */
final class StubFindings {
  private static final String SSL_FACTORY = "javax.rmi.ssl.SslRMIClientSocketFactory";

  /** The bridge that Docker makes by itself, and names that it gives containers. */
  private static final Pattern CONTAINER = Pattern.compile("172\\.17\\.\\d+\\.\\d+|[0-9a-f]{12}");

  private static final int MAX_NAMES = 12;
  private static final String MANAGEMENT = "javax.management.";

  /** What the gateway's machine says; RMI puts the same words in front of every failure. */
  private static final Pattern NOBODY = Pattern.compile("Connection refused(?! to host)");

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
              "What stands behind /stub/ in the URL is no serialized stub.",
              "Nobody can connect by this URL.",
              "Has the URL been copied whole?"));
    }
    facts.stub().ifPresent(findings::stub);
    return findings.found;
  }

  private void registry() {
    for (Visit visit : facts.visits()) {
      Optional<Visit.Step> registry = visit.registry();
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
      } else if (visit.way().isLink() && isNobodyThere(registry.get())) {
        nobodyThere(visit, words, server());
      } else if (obstacle.isPresent()) {
        found.add(
            new Finding(
                badness(),
                "registry.unreachable",
                "By " + visit.way().text() + ": " + WayFindings.sentence(registry.get().words()),
                visit.way().isLink()
                    ? "The gateway is reached, and it does not reach the registry."
                    : "The registry's port is open, and the registry does not answer.",
                visit.way().isLink()
                    ? "Is " + server() + " what the server is called where the gateway is?"
                    : "Is it a registry that listens there?"));
      }
    }
    thrown();
  }

  private void policy(Visit visit, String words) {
    found.add(
        new Finding(
            badness(),
            "gateway.policy",
            "By " + visit.way().text() + ": " + WayFindings.sentence(words),
            "The gateway's policy does not let this login go there.",
            "Have rmigate.yaml of the gateway name it, as shown below." + explanation(words)));
  }

  /** By the number of a refusal the gateway's own command says more than a client is told. */
  private static String explanation(String words) {
    Matcher numbered = NUMBER.matcher(words);
    return numbered.find()
        ? " There, java -jar rmigate.war policy explain --config rmigate.yaml --refusal "
            + numbered.group(1)
            + " prints the reason and the lines."
        : "";
  }

  /** The visit by which the gateway refused what the registry has answered. */
  static Optional<Visit> replyRefused(Observations facts) {
    return facts.visits().stream()
        .filter(
            visit ->
                visit
                    .registry()
                    .flatMap(Visit.Step::obstacle)
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

  private void reply(Visit visit, String words) {
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
                "The registry has answered with the stub of the JDK's management, which the gateway"
                    + " lets nobody have who was not granted JMX.",
                "Have the entry of targets in rmigate.yaml say jmx: true, or jmx: read for reading"
                    + " only, as shown below."
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
  private void noRegistry(Visit visit, String words) {
    if (found.stream().noneMatch(finding -> finding.code().equals("registry.none"))) {
      found.add(
          Finding.problem(
              "registry.none",
              "By " + visit.way().text() + ": " + WayFindings.sentence(words),
              "A server of RMI listens at "
                  + server()
                  + ", and has no registry there: that is the port of its objects.",
              "Name the registry's port: that of LocateRegistry.createRegistry or rmiregistry, "
                  + Target.REGISTRY_PORT
                  + " unless the server says otherwise."));
    }
  }

  /** Whether the target machine has refused the connection: no program listens at that port. */
  private static boolean isNobodyThere(Visit.Step step) {
    return step.obstacle().equals(Optional.of(Obstacle.REFUSED))
        && NOBODY.matcher(step.words()).find();
  }

  private void nobodyThere(Visit visit, String words, String place) {
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
                ? "Start the server, and look there which ports it listens at (ss -ltn)."
                : "Start the server again, so that it binds its objects anew."));
  }

  /** What the registry itself throws: the same by every way, so it is told once. */
  private void thrown() {
    Optional<Visit> visit =
        facts.visits().stream()
            .filter(v -> v.registry().map(Visit.Step::isDone).orElse(false))
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
                  ? "It has nothing bound at all: the server may not have started yet, or the"
                      + " registry is another one."
                  : "What is bound there: "
                      + String.join(", ", names.subList(0, Math.min(MAX_NAMES, names.size())))
                      + (names.size() > MAX_NAMES ? ", and more" : "")
                      + ".",
              "Is the name right? Names are compared letter by letter."));
    } else {
      found.add(
          Finding.problem(
              "registry.throws",
              "The registry at " + server() + " answers with " + thrown + ".",
              "The registry is there, and does not hand out the stub.",
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
              "The stub says that its classes are to be had from "
                  + String.join(", ", stub.codebases())
                  + ".",
              "JDKs since 24 do not look there, older ones only if they are told to"
                  + " (java.rmi.server.useCodebaseOnly=false), which is dangerous.",
              "Have the interfaces in the client's class path."));
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
          "The stub leads to " + endpoint + ", which is this machine here.",
          "The server does not know its own name: a client that believes the stub calls itself,"
              + " with java.rmi.ConnectException as the result.",
          stub);
    } else if (CONTAINER.matcher(host).matches()) {
      place(
          "stub.container",
          "The stub leads to " + endpoint + ", which looks like the inside of a container.",
          "Nobody outside of the container's own machine reaches that.",
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
        facts.visit(Way.DIRECT).flatMap(Visit::object).flatMap(Visit.Step::obstacle);
    return obstacle.equals(Optional.of(Obstacle.NAME_UNKNOWN)) && !host.isEmpty();
  }

  private void place(String code, String seen, String meaning, StubView stub) {
    boolean throughLink = reachedByLink();
    String own =
        "On the server, -Djava.rmi.server.hostname="
            + registryHost()
            + " puts it right for everybody.";
    if (throughLink) {
      found.add(
          Finding.note(
              code,
              seen,
              meaning
                  + " Through the gateway it works: that leads such stubs to where their registry"
                  + " is.",
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
                      ? " Or have the gateway lead it elsewhere: map: [{host: "
                          + stub.reference().host()
                          + "}] in its rmigate.yaml."
                      : facts.options().hasGateway()
                          ? " Or have the gateway do it: map-loopback: true in its rmigate.yaml."
                          : " Or go through an rmigate gateway, which does it by itself.")));
    }
  }

  private boolean reachedByLink() {
    return facts.visits().stream()
        .filter(visit -> visit.way().isLink())
        .anyMatch(visit -> visit.object().map(Visit.Step::isDone).orElse(false));
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
    Optional<Visit> helped = facts.visits().stream().filter(Visit::isHelpedBySockets).findFirst();
    boolean rawMissing =
        helped
            .flatMap(Visit::object)
            .flatMap(Visit.Step::obstacle)
            .equals(Optional.of(Obstacle.POLICY_RAW));
    found.add(
        new Finding(
            helped.isPresent() && !named ? Level.WARNING : Level.NOTE,
            "stub.factory",
            "The stub brings its own socket factory, " + factory + ".",
            (factory.equals(SSL_FACTORY)
                    ? "Calls go over TLS from end to end"
                    : "Calls go by sockets that it makes")
                + ", past every socket factory of RMI. The key sockets leads them to the gateway,"
                + " which mediates plain RMI and carries TLS unread. Sockets of a SocketChannel"
                + " cannot be led there.",
            helped.isPresent() && !named
                ? "Set sockets="
                    + endpoint
                    + (rawMissing ? ", and have raw: of rmigate.yaml name it" : "")
                    + ", as shown below."
                : ""));
  }

  private void object(StubView stub, String endpoint) {
    for (Visit visit : facts.visits()) {
      Optional<Obstacle> obstacle = visit.object().flatMap(Visit.Step::obstacle);
      if (obstacle.isEmpty()
          || obstacle.get() == Obstacle.NEEDS_SOCKETS
          || (!visit.way().isLink() && explained(stub))) {
        continue;
      }
      String words = WayFindings.sentence(visit.object().orElseThrow().words());
      String seen = "By " + visit.way().text() + ", the object at " + endpoint + ": " + words;
      if (visit.way().isLink() && isNobodyThere(visit.object().orElseThrow())) {
        nobodyThere(visit, visit.object().orElseThrow().words(), endpoint);
        continue;
      }
      switch (obstacle.get()) {
        case POLICY, POLICY_RAW ->
            found.add(
                new Finding(
                    badness(),
                    "gateway.policy",
                    seen,
                    "The gateway's policy does not let this login go where the stub leads.",
                    "Have rmigate.yaml of the gateway name it, as shown below."
                        + explanation(words)));
        case NO_OBJECT ->
            found.add(
                Finding.problem(
                    "stub.stale",
                    seen,
                    "The server answers, and has no such object any more: it was restarted, or has"
                        + " dropped the object, and the registry still hands out the old stub.",
                    "Have the server bind its objects anew, and keep a reference to them."));
        default ->
            found.add(
                new Finding(
                    badness(),
                    "stub.unreachable",
                    seen,
                    "The registry is reached this way, and the object is not: its port is another"
                        + " one, which plain RMI chooses anew at each start.",
                    visit.way().isLink()
                        ? "Is "
                            + stub.reference().host()
                            + " what the server is called where the gateway is?"
                        : "Export the object at a port of its own and have that opened, or go"
                            + " through the gateway."));
      }
    }
  }

  /** Whether what is wrong with the host has been said already. */
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

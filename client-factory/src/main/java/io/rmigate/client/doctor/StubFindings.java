package io.rmigate.client.doctor;

import io.rmigate.client.config.Way;
import io.rmigate.protocol.DestinationPatterns;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.LiveReference;
import io.rmigate.protocol.jrmp.StubView;
import io.rmigate.protocol.jrmp.ThrownView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** What the registry and the stub behind the name say, and what follows from it. */
final class StubFindings {
  private static final String SSL_FACTORY = "javax.rmi.ssl.SslRMIClientSocketFactory";

  /** The bridge that Docker makes by itself, and names that it gives containers. */
  private static final Pattern CONTAINER = Pattern.compile("172\\.17\\.\\d+\\.\\d+|[0-9a-f]{12}");

  private static final int MAX_NAMES = 12;

  private final Facts facts;
  private final List<Finding> found = new ArrayList<>();

  private StubFindings(Facts facts) {
    this.facts = facts;
  }

  static List<Finding> of(Facts facts) {
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
      if (obstacle.equals(Optional.of(Obstacle.POLICY))) {
        policy(visit, registry.get().words());
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
            "Have rmigate.yaml of the gateway name it, as shown below."));
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
    String endpoint = Facts.endpoint(stub).toString();
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
    found.add(
        new Finding(
            facts.options().hasGateway() && !named ? Level.WARNING : Level.NOTE,
            "stub.factory",
            "The stub brings its own socket factory, " + factory + ".",
            (factory.equals(SSL_FACTORY)
                    ? "Calls go over TLS from end to end"
                    : "Calls go by sockets that it makes")
                + ", past every socket factory of RMI: the gateway can carry their bytes, and"
                + " mediates nothing.",
            facts.options().hasGateway() && !named
                ? "Set sockets="
                    + endpoint
                    + ", and have raw: of rmigate.yaml name it, as shown below."
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
      switch (obstacle.get()) {
        case POLICY, POLICY_RAW ->
            found.add(
                new Finding(
                    badness(),
                    "gateway.policy",
                    seen,
                    "The gateway's policy does not let this login go where the stub leads.",
                    "Have rmigate.yaml of the gateway name it, as shown below."));
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

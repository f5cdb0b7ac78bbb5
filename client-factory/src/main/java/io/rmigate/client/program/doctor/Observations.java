package io.rmigate.client.program.doctor;

import io.rmigate.client.config.Way;
import io.rmigate.client.transport.post.BodyTrial;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.message.StubView;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The observations of an examination; {@link Diagnosis} draws the conclusions.
 *
 * @param ways each way by itself, in their order
 * @param visits what was found at the end of those that work
 * @param stub the stub of the object that is to be called
 * @param addresses how this machine calls itself towards the server, and how the server sees it;
 *     empty unless it was reached directly
 * @param mapsLoopback whether the gateway leads stubs that name loopback to their registry
 */
record Observations(
    DoctorOptions options,
    List<WayResult> ways,
    List<ServerProbe> visits,
    Optional<StubView> stub,
    Optional<Addresses> addresses,
    Trials trials,
    boolean mapsLoopback) {

  Observations {
    ways = List.copyOf(ways);
    visits = List.copyOf(visits);
  }

  /** The results of trials with links; empty where a trial was not made. */
  record Trials(Optional<IdleProbe.Result> idle, Optional<BodyTrial.Result> body) {}

  /** The address of this machine as the machine and as the server see it. */
  record Addresses(String own, String seen) {}

  WayResult result(Way way) {
    return ways.stream().filter(result -> result.way() == way).findFirst().orElseThrow();
  }

  boolean works(Way way) {
    return result(way).isWorking();
  }

  /** The probe of the server at the end of that way; both ways over the link share one probe. */
  Optional<ServerProbe> visit(Way way) {
    return visits.stream()
        .filter(visit -> visit.way() == way || (visit.way().isLink() && way.isLink()))
        .findFirst();
  }

  /** Ways that lead to the target, the best first. */
  List<Way> leading() {
    return Arrays.stream(Way.values())
        .filter(this::works)
        .filter(
            way ->
                options.target().isEmpty() || visit(way).map(ServerProbe::leadsThere).orElse(false))
        .toList();
  }

  /** The way that the configuration takes, if one of those that it allows leads there. */
  Optional<Way> configured() {
    List<Way> leading = leading();
    return options.hasGateway()
        ? options.config().ways().inOrder().stream().filter(leading::contains).findFirst()
        : leading.stream().filter(way -> way == Way.DIRECT).findFirst();
  }

  /** The first way other than {@code other} by which the registry has answered. */
  Optional<Way> registryReachedBy(Way other) {
    return visits.stream()
        .filter(visit -> visit.way() != other)
        .filter(visit -> visit.registry().map(ServerProbe.Step::isDone).orElse(false))
        .map(ServerProbe::way)
        .findFirst();
  }

  /** The registry's endpoint as the target names it; for a stub in the URL, the stub's endpoint. */
  Optional<EndpointId> endpoint() {
    return options
        .target()
        .flatMap(
            target ->
                target instanceof Target.Bound bound
                    ? Optional.of(bound.registry())
                    : stub.map(Observations::endpoint));
  }

  static EndpointId endpoint(StubView stub) {
    return new EndpointId(stub.reference().host(), stub.reference().port());
  }

  /** The URLs of the gateways; empty if there is none. */
  String gateway() {
    return options.hasGateway() ? options.config().gatewayList() : "";
  }
}

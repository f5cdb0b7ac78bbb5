package io.rmigate.client.program.doctor;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.config.Way;
import io.rmigate.client.ladder.Attempt;
import io.rmigate.client.ladder.AttemptOutcome;
import io.rmigate.client.ladder.WayTrial;
import io.rmigate.client.transport.post.BodyTrial;
import io.rmigate.client.transport.proxy.GatewayDialer;
import io.rmigate.client.transport.proxy.ServerDialer;
import io.rmigate.client.transport.websocket.WebSocketConnector;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.message.LiveReference;
import io.rmigate.protocol.jrmp.message.StubView;
import io.rmigate.protocol.jrmp.message.ThrownView;
import io.rmigate.protocol.tunnel.Refused;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Tries everything once, in this order: each way by itself, all at a time; then, at the end of each
 * that works, the registry, and the object that its stub leads to. Meanwhile the way to the gateway
 * is measured. Each step is bounded, and all together; for one thread, once.
 */
final class Examination {
  /** How late a step may be before its wait ends. */
  private static final Duration MERCY = Duration.ofSeconds(1);

  /**
   * For a TCP connection and a handshake of two packets: the second of three repetitions of a lost
   * packet has had its chance. A firewall that drops them must not take all the time.
   */
  private static final Duration LONGEST_DIRECT = Duration.ofSeconds(3);

  private static final String NOT_PERMITTED = "not permitted by the gateway's policy";
  private static final String RESULT_REFUSED = "the result was refused by the gateway's policy";
  private static final String ANSWER_REFUSED =
      "what the registry answers is not permitted by the gateway's policy";

  private final DoctorOptions options;
  private final ClientConfig config;
  private final Duration step;
  private final Map<String, String> self;
  private final Consumer<String> progress;
  private final long deadlineNanos;
  private volatile boolean mapsLoopback;

  /**
   * @param self what is said to the gateway
   * @param progress takes a line for people as often as something has become known
   */
  Examination(DoctorOptions options, Map<String, String> self, Consumer<String> progress) {
    this.options = options;
    this.config = options.config();
    this.step = options.times().step();
    this.self = self;
    this.progress = progress;
    this.deadlineNanos = System.nanoTime() + options.times().timeout().toNanos();
  }

  Observations run() throws InterruptedException {
    Optional<StubView> given =
        options
            .target()
            .flatMap(
                target ->
                    target instanceof Target.Serialized serialized
                        ? StubView.ofStream(serialized.stream())
                        : Optional.empty());
    Optional<EndpointId> server =
        options
            .target()
            .flatMap(
                target ->
                    target instanceof Target.Bound bound
                        ? Optional.of(bound.registry())
                        : given.map(Observations::endpoint));
    List<WayResult> ways = ways(server);
    Optional<Way> link =
        ways.stream()
            .filter(result -> result.isWorking() && result.way().isLink())
            .map(WayResult::way)
            .findFirst();
    Optional<BoundedTask<IdleProbe.Result>> idle = beginIdle(link);
    Optional<BoundedTask<Optional<BodyTrial.Result>>> body =
        link.map(way -> BoundedTask.begin("body", () -> Optional.of(BodyTrial.run(config, step))));
    List<ServerProbe> visits = visits(ways, link, given);
    Optional<StubView> stub =
        given.or(() -> visits.stream().flatMap(visit -> visit.stub().stream()).findFirst());
    Optional<Observations.Addresses> addresses = addresses(ways, server);
    Optional<BodyTrial.Result> bodies = Optional.empty();
    if (body.isPresent()) {
      bodies = body.get().await(until(step.multipliedBy(3)), failed -> Optional.empty());
    }
    Optional<IdleProbe.Result> idled = Optional.empty();
    if (idle.isPresent()) {
      progress.accept("idle       watching an idle connection");
      idled =
          Optional.of(
              idle.get()
                  .await(
                      until(options.times().idle().plus(step.multipliedBy(3))),
                      failed -> new IdleProbe.Result.Unknown(String.valueOf(failed.getMessage()))));
    }
    return new Observations(
        options,
        ways,
        visits,
        stub,
        addresses,
        new Observations.Trials(idled, bodies),
        mapsLoopback);
  }

  private long until(Duration bound) {
    long then = System.nanoTime() + bound.plus(MERCY).toNanos();
    return then - deadlineNanos < 0 ? then : deadlineNanos;
  }

  private List<WayResult> ways(Optional<EndpointId> server) throws InterruptedException {
    WayTrial trial = new WayTrial(config);
    Map<Way, BoundedTask<WayResult>> begun = new EnumMap<>(Way.class);
    long start = System.nanoTime();
    for (Way way : Way.values()) {
      begun.put(way, BoundedTask.begin(way.text(), () -> tried(trial, way, server)));
    }
    List<WayResult> results = new ArrayList<>();
    for (Way way : Way.values()) {
      WayResult result =
          begun
              .get(way)
              .await(
                  until(step),
                  failed ->
                      WayResult.fails(
                          way,
                          Duration.ofNanos(System.nanoTime() - start),
                          Obstacle.of(failed),
                          "no outcome within " + step.toMillis() + " ms"));
      results.add(result);
      progress.accept(result.line());
    }
    return results;
  }

  private WayResult tried(WayTrial trial, Way way, Optional<EndpointId> server) {
    if (way.isLink() && !options.hasGateway()) {
      return WayResult.notTried(way, "no gateway is named (--gateway URL)");
    }
    if (!way.isLink() && server.isEmpty()) {
      return WayResult.notTried(way, "no server is named");
    }
    Attempt attempt =
        trial.attempt(
            way,
            server.map(EndpointId::host).orElse(""),
            server.map(EndpointId::port).orElse(0),
            way == Way.DIRECT && step.compareTo(LONGEST_DIRECT) > 0 ? LONGEST_DIRECT : step);
    if (attempt.isReached()) {
      return WayResult.works(way, attempt.took(), attempt.words());
    }
    if (attempt.outcome() == AttemptOutcome.UNUSABLE) {
      return WayResult.notTried(way, attempt.words());
    }
    Obstacle obstacle = attempt.failure().map(Obstacle::of).orElse(Obstacle.OTHER);
    return WayResult.fails(
        way,
        attempt.took(),
        !way.isLink() && obstacle == Obstacle.NO_GATEWAY ? Obstacle.NOT_RMI : obstacle,
        attempt.words());
  }

  private Optional<BoundedTask<IdleProbe.Result>> beginIdle(Optional<Way> link) {
    if (options.times().idle().isZero() || !link.equals(Optional.of(Way.WEBSOCKET))) {
      return Optional.empty();
    }
    return Optional.of(
        BoundedTask.begin(
            "idle",
            () ->
                IdleProbe.measure(
                    new WebSocketConnector(config, new GatewayDialer(config)).connect(step),
                    options.times().idle(),
                    step,
                    self)));
  }

  private List<ServerProbe> visits(
      List<WayResult> ways, Optional<Way> link, Optional<StubView> given)
      throws InterruptedException {
    List<ServerProbe> visits = new ArrayList<>();
    if (options.target().isEmpty()) {
      return visits;
    }
    List<BoundedTask<ServerProbe>> begun = new ArrayList<>();
    List<Way> visited = new ArrayList<>();
    for (WayResult result : ways) {
      Way way = result.way();
      if (result.isWorking() && (!way.isLink() || link.equals(Optional.of(way)))) {
        visited.add(way);
        begun.add(BoundedTask.begin("visit by " + way.text(), () -> visit(way, given)));
      }
    }
    for (int i = 0; i < begun.size(); i++) {
      Way way = visited.get(i);
      ServerProbe visit =
          begun.get(i).await(until(step.multipliedBy(4)), failed -> unanswered(way, given, failed));
      visits.add(visit);
      progress.accept("%-10s %s".formatted(way.text(), summary(visit)));
    }
    return visits;
  }

  private static String summary(ServerProbe visit) {
    String registry =
        visit.registry().map(asked -> "registry: " + asked.words()).orElse("no registry to ask");
    return registry + visit.object().map(asked -> "; object: " + asked.words()).orElse("");
  }

  private static ServerProbe unanswered(Way way, Optional<StubView> given, Exception failed) {
    ServerProbe.Step step = ServerProbe.Step.failed(Obstacle.of(failed), words(failed));
    return new ServerProbe(
        way,
        given.isPresent() ? Optional.empty() : Optional.of(step),
        List.of(),
        given,
        Optional.empty(),
        given.isPresent() ? Optional.of(step) : Optional.empty());
  }

  private ServerProbe visit(Way way, Optional<StubView> given) throws IOException {
    try (Access access = access(way)) {
      RegistryProbe registry = new RegistryProbe(access, step);
      if (given.isPresent()) {
        return new ServerProbe(
            way,
            Optional.empty(),
            List.of(),
            given,
            Optional.empty(),
            Optional.of(object(way, access, registry, given.get())));
      }
      Target.Bound bound = (Target.Bound) options.target().orElseThrow();
      try {
        return bound.name().isEmpty()
            ? listed(way, registry, bound)
            : lookedUp(way, access, registry, bound);
      } catch (IOException failed) {
        return unanswered(way, given, failed);
      }
    }
  }

  private Access access(Way way) throws IOException {
    if (!way.isLink()) {
      return new ServerAccess(way, new ServerDialer(config));
    }
    LinkAccess link = LinkAccess.open(config, way, step, self);
    mapsLoopback = link.mapsLoopback();
    return link;
  }

  private static ServerProbe listed(Way way, RegistryProbe registry, Target.Bound bound)
      throws IOException {
    RegistryProbe.Answer<List<String>> answer = registry.list(bound.registry());
    return new ServerProbe(
        way,
        Optional.of(asked(answer, names -> names.size() + " names are bound")),
        answer.value().orElse(List.of()),
        Optional.empty(),
        answer.thrown(),
        Optional.empty());
  }

  private ServerProbe lookedUp(Way way, Access access, RegistryProbe registry, Target.Bound bound)
      throws IOException {
    RegistryProbe.Answer<StubView> answer = registry.lookup(bound.registry(), bound.name());
    List<String> names = List.of();
    if (answer.thrown().map(ThrownView::type).equals(Optional.of("java.rmi.NotBoundException"))) {
      names = registry.list(bound.registry()).value().orElse(List.of());
    }
    Optional<ServerProbe.Step> object = Optional.empty();
    if (answer.value().isPresent()) {
      object = Optional.of(object(way, access, registry, answer.value().get()));
    }
    return new ServerProbe(
        way,
        Optional.of(asked(answer, stub -> "'" + bound.name() + "' is bound")),
        names,
        answer.value(),
        answer.thrown(),
        object);
  }

  /** A registry that throws has answered; a gateway or agent that throws in its place has not. */
  private static <T> ServerProbe.Step asked(
      RegistryProbe.Answer<T> answer, java.util.function.Function<T, String> words) {
    return answer
        .thrown()
        .map(thrown -> thrown(thrown))
        .orElseGet(() -> ServerProbe.Step.done(words.apply(answer.value().orElseThrow())));
  }

  private static ServerProbe.Step thrown(ThrownView thrown) {
    String words = thrown.toString();
    if (words.contains(RESULT_REFUSED) || words.contains(ANSWER_REFUSED)) {
      return ServerProbe.Step.failed(Obstacle.POLICY_REPLY, words);
    }
    if (words.contains(NOT_PERMITTED)) {
      return ServerProbe.Step.failed(Obstacle.POLICY, words);
    }
    return switch (thrown.type()) {
      case "java.rmi.ConnectException" -> ServerProbe.Step.failed(Obstacle.REFUSED, words);
      case "java.rmi.UnknownHostException" -> ServerProbe.Step.failed(Obstacle.NAME_UNKNOWN, words);
      case "java.rmi.ConnectIOException" -> ServerProbe.Step.failed(Obstacle.UNREACHABLE, words);
      case "java.rmi.NoSuchObjectException" -> ServerProbe.Step.failed(Obstacle.NO_OBJECT, words);
      default -> ServerProbe.Step.done("it answers");
    };
  }

  private ServerProbe.Step object(Way way, Access access, RegistryProbe registry, StubView stub) {
    EndpointId endpoint = Observations.endpoint(stub);
    try {
      if (stub.factory().isPresent() || stub.reference().ownFactory()) {
        return behindFactory(way, access, registry, stub.reference());
      }
      return registry
          .touch(stub.reference())
          .map(Examination::thrown)
          .orElse(ServerProbe.Step.done("it answers"));
    } catch (IOException failed) {
      Obstacle obstacle = Obstacle.of(failed);
      return ServerProbe.Step.failed(
          obstacle == Obstacle.NO_GATEWAY ? Obstacle.NOT_RMI : obstacle,
          endpoint + ": " + words(failed));
    }
  }

  /**
   * An object whose stub has a socket factory. On a link the server is asked in plain JRMP first;
   * the protocol of another factory is unknown, so that only the connection is tried.
   */
  private ServerProbe.Step behindFactory(
      Way way, Access access, RegistryProbe registry, LiveReference reference) throws IOException {
    EndpointId endpoint = new EndpointId(reference.host(), reference.port());
    if (!way.isLink()) {
      access.open(endpoint, step).close();
      return ServerProbe.Step.done("a server listens at " + endpoint);
    }
    boolean isNamed = config.sockets().matches(endpoint.host(), endpoint.port());
    if (speaksPlainJrmp(registry, reference)) {
      return isNamed
          ? ServerProbe.Step.done("it answers in plain RMI")
          : ServerProbe.Step.failed(
              Obstacle.NEEDS_SOCKETS,
              "it answers in plain RMI, and sockets= does not name " + endpoint);
    }
    Optional<Refused> refused = ((LinkAccess) access).tryRaw(endpoint);
    return refused
        .map(
            no ->
                ServerProbe.Step.failed(
                    no.text().contains(NOT_PERMITTED) ? Obstacle.POLICY_RAW : Obstacle.REFUSED,
                    no.text()))
        .orElseGet(
            () ->
                isNamed
                    ? ServerProbe.Step.done("the gateway connects to it")
                    : ServerProbe.Step.failed(
                        Obstacle.NEEDS_SOCKETS,
                        "the gateway connects to it, and sockets= does not name " + endpoint));
  }

  private static boolean speaksPlainJrmp(RegistryProbe registry, LiveReference reference) {
    try {
      return registry
          .touch(reference)
          .map(thrown -> Examination.thrown(thrown).isDone())
          .orElse(true);
    } catch (IOException otherProtocol) {
      return false;
    }
  }

  private Optional<Observations.Addresses> addresses(
      List<WayResult> ways, Optional<EndpointId> server) throws InterruptedException {
    if (server.isEmpty() || ways.stream().noneMatch(r -> r.way() == Way.DIRECT && r.isWorking())) {
      return Optional.empty();
    }
    return BoundedTask.<Optional<Observations.Addresses>>begin(
            "addresses",
            () -> {
              Socket socket =
                  new ServerAccess(Way.DIRECT, new ServerDialer(config)).open(server.get(), step);
              String own = socket.getLocalAddress().getHostAddress();
              try (RmiConversation conversation = RmiConversation.begin(socket, step)) {
                return Optional.of(new Observations.Addresses(own, conversation.seenAs().host()));
              }
            })
        .await(until(step), failed -> Optional.empty());
  }

  private static String words(Exception failed) {
    return failed.getMessage() == null ? failed.toString() : failed.getMessage();
  }
}

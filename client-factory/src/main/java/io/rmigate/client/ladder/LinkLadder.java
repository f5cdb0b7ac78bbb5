package io.rmigate.client.ladder;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.config.Way;
import io.rmigate.client.transport.GatewayUnavailableException;
import io.rmigate.client.transport.Transport;
import io.rmigate.client.transport.TransportConnector;
import io.rmigate.client.transport.TransportRefusedException;
import io.rmigate.client.transport.net.ConnectWatch;
import io.rmigate.client.transport.post.PostConnector;
import io.rmigate.client.transport.proxy.GatewayDialer;
import io.rmigate.client.transport.websocket.WebSocketConnector;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.tunnel.Hello;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import javax.net.ssl.SSLException;

/**
 * Connects to a gateway by WebSocket or by POST. The transport that has worked here last is tried
 * first, otherwise the first configured one; if it is slow or fails, the other one is tried, too.
 * An HTTP proxy or load balancer may refuse an upgrade, swallow it, break the connection, or answer
 * it and let no frame through. A transport is proven before the link uses it: the WebSocket has
 * answered a ping, or the POST its first request. A gateway that has taken the hello with the
 * request to upgrade may answer the ping later, if the session can go on by POST without a loss.
 *
 * <p>The other transport is not tried where no server is reached, where the login is refused, or
 * where TLS fails. Thread-safe.
 */
public final class LinkLadder implements TransportConnector {
  /**
   * Times the stagger: the gateway answers when it has judged the login, and the slow hash of a
   * password alone takes hundreds of milliseconds.
   */
  private static final int STAGGERS = 4;

  /** How much longer than it took to be connected an answer may take: it is two round trips. */
  private static final int DIALS = 3;

  /** Enough for a gateway at the other end of the world. */
  private static final Duration LONGEST_STAGGER = Duration.ofSeconds(2);

  private final List<Way> ways;
  private final WebSocketConnector webSocket;
  private final WebSocketConnector provingWebSocket;
  private final TransportConnector post;
  private final String gateway;
  private final Duration stagger;
  private final Duration retry;
  private final WayMemory memory;

  private LinkLadder(
      List<Way> ways,
      WebSocketConnector webSocket,
      TransportConnector post,
      Duration stagger,
      Duration retry,
      WayMemory memory) {
    this.ways = ways;
    this.webSocket = webSocket;
    this.provingWebSocket = webSocket.proving();
    this.post = post;
    this.gateway = webSocket.toString();
    this.stagger = stagger;
    this.retry = retry;
    this.memory = memory;
  }

  /** The connector that a configuration asks for; opens nothing yet. */
  public static TransportConnector of(ClientConfig config) {
    return of(config, new GatewayDialer(config), ChosenWays.of(config));
  }

  /**
   * The connector that a configuration asks for, by connections of {@code dialer}.
   *
   * @param chosen remembers
   */
  public static TransportConnector of(
      ClientConfig config, GatewayDialer dialer, ChosenWays chosen) {
    List<Way> ways = config.ways().overLink();
    if (ways.isEmpty()) {
      return new NoLink(config);
    }
    WebSocketConnector webSocket = new WebSocketConnector(config, dialer);
    PostConnector post = new PostConnector(config, dialer);
    if (ways.size() == 1) {
      return ways.get(0) == Way.POST ? post : webSocket;
    }
    return new LinkLadder(
        ways,
        webSocket,
        post,
        config.wayStagger().multipliedBy(STAGGERS),
        config.wayRetry(),
        chosen.memory());
  }

  @Override
  public List<TransportConnector> each() {
    List<TransportConnector> webSockets = webSocket.each();
    List<TransportConnector> posts = post.each();
    List<TransportConnector> both = new ArrayList<>();
    for (int i = 0; i < webSockets.size(); i++) {
      both.add(
          new LinkLadder(
              ways, (WebSocketConnector) webSockets.get(i), posts.get(i), stagger, retry, memory));
    }
    return both;
  }

  /** Where a way is known it alone can be abandoned. */
  @Override
  public Transport connect(Duration timeout, ConnectWatch watch) throws IOException {
    Optional<Way> known = memory.way(gateway);
    return known.isPresent() ? take(known.get(), webSocket, timeout, watch) : connect(timeout);
  }

  @Override
  public Transport connect(Duration timeout) throws IOException {
    return connect(timeout, webSocket, provingWebSocket);
  }

  @Override
  public Transport connect(Duration timeout, Hello hello) throws IOException {
    return connect(timeout, webSocket.greeting(hello), provingWebSocket.greeting(hello));
  }

  private Transport connect(
      Duration timeout, WebSocketConnector trusting, WebSocketConnector proving)
      throws IOException {
    Optional<Way> known = memory.way(gateway);
    List<Way> order = new ArrayList<>(ways);
    if (known.isPresent()) {
      order.remove(known.get());
      order.add(0, known.get());
    }
    Course course = new Course(known.orElse(null), trusting, proving);
    Race.Result<Transport> result = new Race<>(order, course, course, course).run(timeout);
    if (result.winner() == null) {
      memory.forget(gateway); // the network may be another one by now
      throw failure(result);
    }
    String reason =
        result.isUncontested() ? WayReasons.UNCONTESTED : WayReasons.of(result, stagger, Way::text);
    memory.took(gateway, result.way(), result.way().text(), reason);
    return result.winner();
  }

  /** How the ways to the gateway are raced. */
  private final class Course implements Race.Rung<Transport>, Race.Pace, Predicate<Race.Failure> {
    /** The way that has worked here before; null when none is known. */
    private final Way known;

    /** For a WebSocket that has worked here before: it need not show it again. */
    private final WebSocketConnector trusting;

    private final WebSocketConnector proving;

    Course(Way known, WebSocketConnector trusting, WebSocketConnector proving) {
      this.known = known;
      this.trusting = trusting;
      this.proving = proving;
    }

    @Override
    public Transport take(Way way, Duration timeout, ConnectWatch watch) throws IOException {
      return LinkLadder.this.take(way, way == known ? trusting : proving, timeout, watch);
    }

    /** Connecting is the same for both: until that is done the other one cannot do better. */
    @Override
    public OptionalLong nextNanos(long startNanos, OptionalLong dialedNanos) {
      if (dialedNanos.isEmpty()) {
        return OptionalLong.empty();
      }
      long dialed = dialedNanos.getAsLong();
      long scaled = Math.min(DIALS * (dialed - startNanos), LONGEST_STAGGER.toNanos());
      return OptionalLong.of(dialed + Math.max(stagger.toNanos(), scaled));
    }

    @Override
    public boolean test(Race.Failure failure) {
      IOException cause = failure.cause();
      return !failure.dialed() || cause instanceof SSLException || !mayBeTheTransport(cause);
    }
  }

  private Transport take(
      Way way, WebSocketConnector byWebSocket, Duration timeout, ConnectWatch watch)
      throws IOException {
    return way == Way.POST ? post.connect(timeout, watch) : byWebSocket.connect(timeout, watch);
  }

  /** Whether what stands between may have done it, and may treat the other transport better. */
  private static boolean mayBeTheTransport(IOException cause) {
    return cause instanceof TransportRefusedException
        || cause instanceof ProtocolViolationException
        || cause.getCause() instanceof ProtocolViolationException
        || isBroken(cause)
        || isBroken(cause.getCause());
  }

  private static boolean isBroken(Throwable cause) {
    return cause instanceof SocketException
        || cause instanceof EOFException
        || cause instanceof InterruptedIOException;
  }

  /**
   * The gateway's own word counts most, since it may send us to another one; then what has come of
   * the way that was tried first.
   */
  private static IOException failure(Race.Result<Transport> result) {
    List<IOException> all = new ArrayList<>(result.failures().values());
    IOException thrown =
        all.stream()
            .filter(GatewayUnavailableException.class::isInstance)
            .findFirst()
            .orElse(all.get(0));
    all.stream().filter(other -> other != thrown).forEach(thrown::addSuppressed);
    return thrown;
  }

  @Override
  public boolean mayClimbFrom(Transport transport) {
    if (transport.way().isEmpty() || transport.way().get() == ways.get(0)) {
      return false;
    }
    if (memory.way(gateway).isEmpty()) {
      memory.took(
          gateway,
          transport.way().get(),
          transport.way().get().text(),
          "it still works in this network");
    }
    return memory.beginRetry(gateway);
  }

  @Override
  public Duration climbEvery() {
    return retry;
  }

  @Override
  public Transport climb(Duration timeout) throws IOException {
    Way best = ways.get(0);
    Transport better = take(best, provingWebSocket, timeout, new ConnectWatch());
    memory.took(gateway, best, best.text(), "it answers again");
    return better;
  }

  @Override
  public void wasSilent(Transport transport) {
    transport
        .way()
        .ifPresent(
            silent -> {
              Way other = silent == ways.get(0) ? ways.get(1) : ways.get(0);
              memory.took(
                  gateway,
                  other,
                  other.text(),
                  silent.text() + ": connected, and no frame came back");
            });
  }

  /** The gateways, for logs. */
  @Override
  public String toString() {
    return gateway;
  }

  /** Where the configuration has no way to a gateway. */
  private record NoLink(ClientConfig config) implements TransportConnector {
    @Override
    public Transport connect(Duration timeout) throws IOException {
      throw new java.net.ConnectException(
          "no link to a gateway is allowed: way=" + config.ways() + " (websocket or post is)");
    }

    @Override
    public String toString() {
      return "none";
    }
  }
}

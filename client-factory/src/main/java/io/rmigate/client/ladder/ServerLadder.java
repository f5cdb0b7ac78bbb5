package io.rmigate.client.ladder;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.config.Way;
import io.rmigate.client.jvm.Daemons;
import io.rmigate.client.jvm.NoThreadException;
import io.rmigate.client.transport.GatewayUnavailableException;
import io.rmigate.client.transport.net.ConnectWatch;
import io.rmigate.client.transport.net.ServerConnection;
import io.rmigate.protocol.DestinationPatterns;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Decides for each new connection to a server whether it goes past the gateway, directly or by
 * CONNECT, or over the link. The first that answers is taken; what has worked is taken at once the
 * next time, and gives way to the others when it does not answer for some staggers. Better ways are
 * tried again now and then, beside it. Thread-safe.
 *
 * <p>The link counts as one way, at the place of the better of its two. That it is there is all
 * that is asked of it: whether the gateway reaches the server the first call shows.
 *
 * <p>A host that names loopback means a machine behind the gateway: such servers are looked for
 * past it only where no link is allowed.
 */
public final class ServerLadder {
  /** Staggers that a way gets which has worked before, if there are others. */
  static final int PATIENT_STAGGERS = 3;

  private final List<Way> ways;
  private final boolean hasLink;
  private final ServerRungs servers;
  private final LinkRung link;
  private final Duration stagger;
  private final WayMemory memory;
  private final AtomicBoolean retrying = new AtomicBoolean();

  /** The link, as a step of the ladder. */
  public interface LinkRung {
    /** Whether there is a link now. */
    boolean isUp();

    /**
     * Opens a link unless there is one.
     *
     * @throws IOException there is no link; the cause of a ConnectException says why
     */
    void ensure() throws IOException;
  }

  /** Opens a connection past the gateway. */
  private interface Opening<T extends Closeable> {
    T open(Way way, Duration timeout, ConnectWatch watch) throws IOException;
  }

  /**
   * The result of one step.
   *
   * @param opened null when it is the link
   */
  private record Step<T extends Closeable>(T opened) implements Closeable {
    @Override
    public void close() throws IOException {
      if (opened != null) {
        opened.close();
      }
    }
  }

  /**
   * By the ways of {@code config}; opens nothing yet.
   *
   * @param chosen remembers
   */
  public ServerLadder(ClientConfig config, ChosenWays chosen, LinkRung link) {
    this.ways = oneLink(config.ways().inOrder());
    this.hasLink = ways.stream().anyMatch(Way::isLink);
    this.servers = new ServerRungs(config);
    this.link = link;
    this.stagger = config.wayStagger();
    this.memory = chosen.memory();
  }

  private static List<Way> oneLink(List<Way> all) {
    List<Way> steps = new ArrayList<>();
    for (Way way : all) {
      if (!way.isLink() || steps.stream().noneMatch(Way::isLink)) {
        steps.add(way);
      }
    }
    return List.copyOf(steps);
  }

  /** Whether a server of that name may be reached past the gateway. */
  public boolean mayPassGateway(String host) {
    return !hasLink || !DestinationPatterns.isLoopback(host);
  }

  /**
   * A connection on which an RMI server has answered; empty: over the link, which is there.
   *
   * @throws ConnectException by none of the ways; nothing was executed
   */
  public Optional<ReachedServer> reach(String host, int port, Duration timeout) throws IOException {
    return take(
        host + ":" + port,
        (way, left, watch) -> servers.reach(way, host, port, left, watch),
        timeout);
  }

  /**
   * A connection for any protocol, on which nothing has been sent; empty: over the link. Nothing
   * proves that the server itself has accepted it.
   *
   * @throws ConnectException by none of the ways
   */
  public Optional<ServerConnection> open(String host, int port, Duration timeout)
      throws IOException {
    return take(
        "socket " + host + ":" + port,
        (way, left, watch) -> servers.open(way, host, port, left, watch),
        timeout);
  }

  private <T extends Closeable> Optional<T> take(
      String destination, Opening<T> opening, Duration timeout) throws IOException {
    long start = System.nanoTime();
    Optional<Way> known = memory.way(destination);
    if (known.isEmpty()) {
      return race(destination, ways, opening, timeout, Map.of());
    }
    Way way = known.get();
    if (way != ways.get(0)) {
      retry(destination, way, opening, timeout);
    }
    if (way.isLink() && link.isUp()) {
      return Optional.empty();
    }
    List<Way> others = new ArrayList<>(ways);
    others.remove(way);
    if (way.isLink()) {
      others.add(0, way);
      return race(destination, others, opening, timeout, Map.of());
    }
    boolean alone = others.isEmpty();
    try {
      return Optional.of(
          opening.open(way, alone ? timeout : patience(timeout), new ConnectWatch()));
    } catch (IOException failed) {
      others.add(way); // with all the time that there is
      Duration left = timeout.minusNanos(System.nanoTime() - start);
      if (alone) {
        memory.forget(destination);
        throw nothing(destination, Map.of(way, failed));
      }
      return race(destination, others, opening, left, Map.of(way, failed));
    }
  }

  /** Time for the way that worked before; the other ways keep as much at least. */
  private Duration patience(Duration timeout) {
    Duration patience = stagger.multipliedBy(PATIENT_STAGGERS);
    Duration half = timeout.dividedBy(2);
    return patience.compareTo(half) < 0 ? patience : half;
  }

  private <T extends Closeable> Optional<T> race(
      String destination,
      List<Way> order,
      Opening<T> opening,
      Duration timeout,
      Map<Way, IOException> before)
      throws IOException {
    Race.Result<Step<T>> result =
        new Race<Step<T>>(
                order,
                (way, left, watch) -> step(way, opening, left, watch),
                Race.every(stagger),
                ServerLadder::isFinal)
            .run(timeout);
    Map<Way, IOException> failures = new LinkedHashMap<>(before);
    failures.putAll(result.failures());
    if (result.winner() == null) {
      memory.forget(destination);
      throw nothing(destination, failures);
    }
    failures.remove(result.way());
    memory.took(
        destination,
        result.way(),
        name(result.way()),
        WayReasons.of(
            new Race.Result<>(result.way(), result.winner(), failures, result.overtaken()),
            stagger,
            ServerLadder::name));
    return Optional.ofNullable(result.winner().opened());
  }

  private <T extends Closeable> Step<T> step(
      Way way, Opening<T> opening, Duration timeout, ConnectWatch watch) throws IOException {
    if (way.isLink()) {
      link.ensure();
      return new Step<>(null);
    }
    return new Step<>(opening.open(way, timeout, watch));
  }

  /** Which of its ways the link has taken is not settled here. */
  private static String name(Way way) {
    return way.isLink() ? "gateway" : way.text();
  }

  /** Whether no other way is tried: after a refusal or an untrusted certificate of the gateway. */
  private static boolean isFinal(Race.Failure failure) {
    if (!failure.way().isLink()) {
      return false;
    }
    IOException cause =
        failure.cause().getCause() instanceof IOException reason ? reason : failure.cause();
    return !(cause instanceof SocketException
        || cause instanceof UnknownHostException
        || cause instanceof InterruptedIOException
        || cause instanceof EOFException
        || cause instanceof GatewayUnavailableException);
  }

  private ConnectException nothing(String destination, Map<Way, IOException> failures) {
    ConnectException nothing =
        new ConnectException(
            "no way leads to "
                + destination
                + ": "
                + WayReasons.all(ways, failures, ServerLadder::name));
    failures.values().forEach(nothing::addSuppressed);
    return nothing;
  }

  /**
   * Looks whether something better than {@code way} answers by now, if it is time to. One look at a
   * time: who finds another one under way has not had its turn.
   */
  private void retry(String destination, Way way, Opening<?> opening, Duration timeout) {
    if (!retrying.compareAndSet(false, true)) {
      return;
    }
    boolean begun = false;
    try {
      if (memory.beginRetry(destination)) {
        List<Way> better = ways.subList(0, ways.indexOf(way));
        Daemons.start(
            "rmigate-way-retry",
            () -> {
              try {
                retryNow(destination, better, opening, timeout);
              } finally {
                retrying.set(false);
              }
            });
        begun = true;
      }
    } catch (NoThreadException none) {
      // another time
    } finally {
      if (!begun) {
        retrying.set(false);
      }
    }
  }

  private <T extends Closeable> void retryNow(
      String destination, List<Way> better, Opening<T> opening, Duration timeout) {
    try {
      Race.Result<Step<T>> result =
          new Race<Step<T>>(
                  better,
                  (way, left, watch) -> step(way, opening, left, watch),
                  Race.every(stagger),
                  failure -> false)
              .run(timeout);
      if (result.winner() != null) {
        result.winner().close();
        memory.took(destination, result.way(), name(result.way()), "it answers again");
      }
    } catch (IOException notYet) {
      System.getLogger(ServerLadder.class.getName())
          .log(System.Logger.Level.DEBUG, () -> "no better way to " + destination + ": " + notYet);
    }
  }
}

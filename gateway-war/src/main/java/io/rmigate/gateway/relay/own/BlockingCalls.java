package io.rmigate.gateway.relay.own;

import io.rmigate.gateway.quota.Places;
import io.rmigate.gateway.relay.DeadlineCheck;
import io.rmigate.gateway.relay.Relay;
import io.rmigate.gateway.relay.RelayLoop;
import io.rmigate.gateway.relay.address.Target;
import io.rmigate.gateway.relay.address.TargetAddresses;
import java.io.Closeable;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Calls of the gateway's own that block the threads of their callers, which write and read by
 * themselves: where there is a thread to wait anyway, as that of an HTTP request, waking others
 * costs more than all the rest. For calls without such a thread there are {@link OwnCalls}.
 *
 * <pre>
 *   begin ──► {@link BlockingCall} ──► {@link Places} ──► {@link BlockingPool} or a new {@link BlockingConnection}
 * </pre>
 *
 * As with {@link OwnCalls}, the gateway makes every message itself, so that a connection can serve
 * any later call. A message is written again, over another connection, only while no byte of it has
 * been written.
 *
 * <p>Thread-safe. Deadlines hold for writing too; connections that reach theirs are cut off by a
 * relay loop, up to a fifth of a second later.
 */
public final class BlockingCalls implements Closeable {
  private final Relay relay;
  private final RelayLoop loop;
  private final BlockingSettings settings;
  private final ConcurrentHashMap<Target, BlockingPool> pools = new ConcurrentHashMap<>();

  /** All there are, idle or not. */
  private final Set<BlockingConnection> connections = ConcurrentHashMap.newKeySet();

  private final DeadlineCheck watch = new Deadlines();
  private volatile boolean closed;

  /** Opens nothing yet. */
  public BlockingCalls(Relay relay, BlockingSettings settings) {
    this.relay = relay;
    this.loop = relay.assignLoop();
    this.settings = settings;
  }

  /**
   * Begins a call; nothing is sent and nothing waited for yet.
   *
   * @param sharer whose share of the connections to a target the call takes
   * @param deadlineNanos of everything, on the clock of {@link System#nanoTime}
   * @param maxReplyBytes a longer Return is a failure
   * @return to be closed
   */
  public BlockingCall begin(Object sharer, Target target, long deadlineNanos, long maxReplyBytes) {
    return new BlockingCall(this, sharer, target, deadlineNanos, maxReplyBytes);
  }

  /** Connections there are, over all targets. */
  public int connections() {
    return connections.size();
  }

  /** Waits for a place at the target, which is to be left afterwards. */
  BlockingPool enter(Object sharer, Target target, long deadlineNanos) throws OwnCallException {
    while (true) {
      BlockingPool pool = pools.computeIfAbsent(target, BlockingPool.of(settings));
      Places.Entry entry = pool.places().enter(sharer, deadlineNanos);
      if (entry == Places.Entry.ADMITTED) {
        return pool;
      }
      if (entry != Places.Entry.RETIRED) {
        throw notAdmitted(entry, target);
      }
      pools.remove(target, pool);
    }
  }

  /** A connection that takes a message: one of the pool that is alive, else a new one. */
  BlockingConnection connection(
      Object sharer, BlockingPool pool, long deadlineNanos, long maxReplyBytes)
      throws OwnCallException {
    BlockingConnection connection = pool.take();
    while (connection != null) {
      if (connection.begin(deadlineNanos, maxReplyBytes)
          && connection.isAlive(relay.settings().pingAfterIdle())) {
        return connection;
      }
      drop(connection);
      connection = pool.take();
    }
    return open(sharer, pool.target(), deadlineNanos, maxReplyBytes);
  }

  private static OwnCallException notAdmitted(Places.Entry entry, Target target) {
    String text =
        switch (entry) {
          case CROWDED -> "too many calls wait for " + target;
          case LATE -> "no free connection to " + target + " in time";
          default -> "interrupted while waiting for a connection to " + target;
        };
    return unsent(OwnCallFailure.Kind.OVERLOADED, text);
  }

  BlockingConnection open(Object sharer, Target target, long deadlineNanos, long maxReplyBytes)
      throws OwnCallException {
    List<InetAddress> addresses = addresses(sharer, target, deadlineNanos);
    BlockingConnection connection = new BlockingConnection(target, relay.ownListeners());
    connection.begin(deadlineNanos, maxReplyBytes);
    connections.add(connection);
    if (closed) {
      drop(connection);
      throw unsent(OwnCallFailure.Kind.REFUSED, "the gateway ends");
    }
    loop.execute(() -> loop.watch(watch));
    try {
      connection.connect(addresses, deadlineNanos);
      return connection;
    } catch (OwnCallException failed) {
      drop(connection);
      throw failed;
    }
  }

  /** On a thread of its own kind: the name service knows no deadline. */
  private List<InetAddress> addresses(Object sharer, Target target, long deadlineNanos)
      throws OwnCallException {
    FutureTask<Optional<List<InetAddress>>> look =
        new FutureTask<>(
            () ->
                TargetAddresses.of(
                    target, relay.ownListeners(), relay.names(), relay.localAddresses()));
    Optional<List<InetAddress>> found;
    try {
      relay.lookups().execute(sharer, look);
      found = get(look, deadlineNanos);
    } catch (RejectedExecutionException overloaded) {
      throw unsent(OwnCallFailure.Kind.REFUSED, overloaded.getMessage());
    }
    if (found.isEmpty()) {
      throw unsent(OwnCallFailure.Kind.REFUSED, "unknown host " + target.host());
    }
    if (found.get().isEmpty()) {
      throw unsent(
          OwnCallFailure.Kind.REFUSED,
          target + ": its name stands for an address that is not permitted");
    }
    return found.get();
  }

  private static <T> T get(Future<T> future, long deadlineNanos) throws OwnCallException {
    try {
      return future.get(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException late) {
      future.cancel(false); // the resolvers have others to serve
      throw unsent(OwnCallFailure.Kind.REFUSED, "its name was not looked up in time");
    } catch (InterruptedException hurried) {
      future.cancel(false);
      Thread.currentThread().interrupt();
      throw unsent(OwnCallFailure.Kind.REFUSED, "interrupted");
    } catch (ExecutionException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static OwnCallException unsent(OwnCallFailure.Kind kind, String text) {
    return new OwnCallException(
        new OwnCallFailure(kind, DeliveryStatus.NOT_SENT, Optional.empty(), text));
  }

  /** The connection is free for the next call, if it is fit for one. */
  void giveBack(BlockingPool pool, BlockingConnection connection) {
    if (connection.becomeIdle() && !closed) {
      pool.give(connection);
    } else {
      drop(connection);
    }
  }

  void drop(BlockingConnection connection) {
    connection.close();
    connections.remove(connection);
  }

  /** Cuts off every connection; who waits for an answer has none. Calls fail from here on. */
  @Override
  public void close() {
    closed = true;
    connections.forEach(BlockingConnection::close);
    connections.clear();
  }

  private final class Deadlines implements DeadlineCheck {
    @Override
    public boolean checkDeadline(long now) {
      connections.forEach(connection -> connection.endIfDue(now, settings.idle()));
      connections.removeIf(BlockingConnection::isEnded);
      pools.values().removeIf(BlockingPool::tidy);
      return !connections.isEmpty();
    }

    @Override
    public void breakDown() {
      connections.forEach(BlockingConnection::close);
    }

    @Override
    public String toString() {
      return "deadlines of blocking calls";
    }
  }
}

package io.rmigate.client.async;

import java.lang.ref.WeakReference;
import java.rmi.RemoteException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The connections to one server that carry no call now, and how many calls it may have. Idle
 * connections are used again, the latest first, and closed after 15 seconds, as the RMI runtime
 * does.
 *
 * <p>Thread-safe; connections are made, pinged and closed outside of the lock.
 */
final class ServerConnections implements ConnectionSource {
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(15);

  /** Connections by server, as long as an {@link AsyncStub}, a call or the timer refers to them. */
  private static final Map<StubReference.Server, WeakReference<ServerConnections>> ALL =
      new ConcurrentHashMap<>();

  private final StubReference.Server server;
  private final CallThrottle throttle = new CallThrottle(CallThrottle.DEFAULT_CALLS);
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<CallConnection> idle = new ArrayDeque<>();
  private boolean sweeping;

  /** Whether the latest connection passes the gateway: then the next one is made without a wait. */
  private volatile boolean passesGateway;

  private ServerConnections(StubReference.Server server) {
    this.server = server;
  }

  static ServerConnections of(StubReference.Server server) {
    ALL.values().removeIf(unused -> unused.get() == null);
    ServerConnections[] found = new ServerConnections[1]; // kept from the garbage collection
    ALL.compute(
        server,
        (same, known) -> {
          found[0] = known == null ? null : known.get();
          if (found[0] != null) {
            return known;
          }
          found[0] = new ServerConnections(server);
          return new WeakReference<>(found[0]);
        });
    return found[0];
  }

  @Override
  public StubReference.Server server() {
    return server;
  }

  CallThrottle throttle() {
    return throttle;
  }

  @Override
  public boolean passesGateway() {
    return passesGateway;
  }

  /** An idle connection, or a new one. */
  @Override
  public CallConnection take() throws RemoteException {
    CallConnection connection = takeIdle();
    while (connection != null) {
      if (connection.isAlive()) {
        return connection;
      }
      connection.close();
      connection = takeIdle();
    }
    CallConnection opened = CallConnection.open(server);
    passesGateway = opened.passesGateway();
    return opened;
  }

  private CallConnection takeIdle() {
    lock.lock();
    try {
      return idle.pollFirst();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void giveBack(CallConnection connection) {
    boolean sweeps;
    lock.lock();
    try {
      idle.addFirst(connection);
      sweeps = !sweeping;
      sweeping = true;
    } finally {
      lock.unlock();
    }
    if (sweeps) {
      sweepIn(IDLE_NANOS);
    }
  }

  private void sweepIn(long nanos) {
    ScheduledFuture<?> unused =
        AsyncThreads.timing().schedule(this::sweep, nanos, TimeUnit.NANOSECONDS);
  }

  private void sweep() {
    long now = System.nanoTime();
    List<CallConnection> old = new ArrayList<>();
    boolean more;
    lock.lock();
    try {
      Iterator<CallConnection> oldestFirst = idle.descendingIterator();
      while (oldestFirst.hasNext()) {
        CallConnection connection = oldestFirst.next();
        if (now - connection.idleSinceNanos() >= IDLE_NANOS) {
          oldestFirst.remove();
          old.add(connection);
        }
      }
      more = !idle.isEmpty();
      sweeping = more;
    } finally {
      lock.unlock();
    }
    old.forEach(CallConnection::close);
    if (more) {
      sweepIn(IDLE_NANOS);
    }
  }
}

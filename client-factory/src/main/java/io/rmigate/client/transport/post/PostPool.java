package io.rmigate.client.transport.post;

import io.rmigate.client.transport.http.HttpConnection;
import io.rmigate.client.transport.net.ConnectWatch;
import java.io.IOException;
import java.net.SocketException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The connections of one {@link PostTransport}: some rest between two requests, others are in use.
 * Thread-safe; of other locks only that of a {@link ConnectWatch} is taken under its own, and
 * nothing blocks there.
 */
final class PostPool {
  /** A connection that has rested for this time may have been closed by an HTTP proxy. */
  private static final long LONG_REST_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final PostDialer dialer;
  private final ReentrantLock lock = new ReentrantLock();

  /** Resting connections, the last one used first. {@code lock} guards this and what follows. */
  private final Deque<HttpConnection> resting = new ArrayDeque<>();

  /** All connections, so that they can be closed. */
  private final List<HttpConnection> open = new ArrayList<>();

  /** Attempts to connect that are under way. */
  private final List<ConnectWatch> dialing = new ArrayList<>();

  private boolean closed;

  /** A pool without any connection yet. */
  PostPool(PostDialer dialer) {
    this.dialer = dialer;
  }

  /** A resting connection that still works, as far as can be seen; null if there is none. */
  HttpConnection take() {
    while (true) {
      HttpConnection candidate;
      lock.lock();
      try {
        candidate = resting.pollLast();
      } finally {
        lock.unlock();
      }
      if (candidate == null || !candidate.hasEnded(LONG_REST_NANOS)) {
        return candidate;
      }
      drop(candidate);
    }
  }

  /** Another connection was cut: the resting ones are checked before they are used. */
  void distrustResting() {
    lock.lock();
    try {
      resting.forEach(HttpConnection::distrust);
    } finally {
      lock.unlock();
    }
  }

  /** A new one; {@link #close} ends the attempt. */
  HttpConnection dial() throws IOException {
    ConnectWatch watch = new ConnectWatch();
    begin(watch);
    try {
      HttpConnection fresh = dialer.dial(watch);
      if (!add(fresh)) {
        fresh.close();
        throw closed();
      }
      return fresh;
    } finally {
      end(watch);
    }
  }

  private void begin(ConnectWatch watch) throws SocketException {
    lock.lock();
    try {
      if (closed) {
        throw closed();
      }
      dialing.add(watch);
    } finally {
      lock.unlock();
    }
  }

  private void end(ConnectWatch watch) {
    lock.lock();
    try {
      dialing.remove(watch);
    } finally {
      lock.unlock();
    }
  }

  private SocketException closed() {
    return new SocketException("transport closed: " + dialer.description());
  }

  /** Counts in one that was made elsewhere; false when it is too late for that. */
  boolean add(HttpConnection connection) {
    lock.lock();
    try {
      return !closed && open.add(connection);
    } finally {
      lock.unlock();
    }
  }

  /** Lets it rest, if it can be used again. */
  void giveBack(HttpConnection connection) {
    boolean rests;
    connection.rest();
    lock.lock();
    try {
      rests = connection.isReusable() && !closed;
      if (rests) {
        resting.addLast(connection);
      }
    } finally {
      lock.unlock();
    }
    if (!rests) {
      drop(connection);
    }
  }

  /** Closes it. */
  void drop(HttpConnection connection) {
    connection.close();
    lock.lock();
    try {
      open.remove(connection);
    } finally {
      lock.unlock();
    }
  }

  /** A resting connection, which is the caller's from here on; null if none rests. */
  HttpConnection leave() {
    lock.lock();
    try {
      HttpConnection left = resting.pollLast();
      open.remove(left);
      return left;
    } finally {
      lock.unlock();
    }
  }

  /** Closes all there are; there will be no others. */
  void close() {
    lock.lock();
    try {
      closed = true;
      open.forEach(HttpConnection::close); // which never blocks
      dialing.forEach(ConnectWatch::abandon);
    } finally {
      lock.unlock();
    }
  }
}

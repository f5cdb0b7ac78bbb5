package io.rmigate.perf.link;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The link: listens for the client's side at any number of addresses, each of which stands for one
 * target at the other end. All connections share its two {@link Line}s.
 *
 * <p><b>Setting up.</b> The target is connected to at once, but the first byte of either side
 * leaves only when a round trip has passed since the client connected: TCP would need it. What a
 * refused connection would be is closed at that time. Thread-safe; all threads are daemons.
 */
public final class EmulatedLink implements Closeable {
  /** Connections at most; further ones are closed at once. */
  static final int MAX_CONNECTIONS = 1_000;

  private static final int CONNECT_MILLIS = 5_000;

  /** So little that what the sender has written is on the link, not in a socket of ours. */
  private static final int RECEIVE_BUFFER_BYTES = 4 * 1024;

  private final LinkProfile profile;
  private final LinkListener listener;
  private final LinkClock clock;
  private final Map<Direction, Line> lines = new EnumMap<>(Direction.class);
  private final List<ServerSocket> listening = new CopyOnWriteArrayList<>();
  private final Set<LinkConnection> connections = ConcurrentHashMap.newKeySet();
  private final AtomicInteger numbers = new AtomicInteger();
  private final AtomicLong lastArrivalNanos;
  private volatile boolean closed;

  /** A link without ports yet; {@link #listen} adds them. */
  public EmulatedLink(LinkProfile profile, LinkListener listener) {
    this(profile, listener, LinkClock.SYSTEM);
  }

  EmulatedLink(LinkProfile profile, LinkListener listener, LinkClock clock) {
    this.profile = profile;
    this.listener = listener;
    this.clock = clock;
    for (Direction direction : Direction.values()) {
      lines.put(direction, new Line(profile.shape(direction), profile.bufferBytes(), clock));
    }
    lastArrivalNanos = new AtomicLong(clock.nanoTime());
  }

  /**
   * Connections to {@code at} go to {@code target}.
   *
   * @param at with port 0 for any free one
   * @return the port
   */
  public int listen(InetSocketAddress at, InetSocketAddress target) throws IOException {
    ServerSocket socket = new ServerSocket();
    try {
      socket.setReceiveBufferSize(RECEIVE_BUFFER_BYTES);
      socket.bind(at);
      listening.add(socket);
      if (closed) {
        throw new IOException("the link is closed");
      }
    } catch (IOException e) {
      socket.close();
      throw e;
    }
    daemon("link to " + target, () -> accept(socket, target));
    return socket.getLocalPort();
  }

  private void accept(ServerSocket socket, InetSocketAddress target) {
    while (!closed) {
      try {
        Socket client = socket.accept();
        long openNanos = clock.nanoTime() + profile.roundTrip().toNanos();
        if (connections.size() >= MAX_CONNECTIONS) {
          close(client);
        } else {
          daemon("link set-up", () -> open(client, target, openNanos));
        }
      } catch (IOException ended) {
        return; // the link is closed
      }
    }
  }

  private void open(Socket client, InetSocketAddress target, long openNanos) {
    Socket inner = new Socket();
    try {
      client.setTcpNoDelay(true);
      inner.setReceiveBufferSize(RECEIVE_BUFFER_BYTES);
      inner.setTcpNoDelay(true);
      inner.connect(target, CONNECT_MILLIS);
    } catch (IOException refused) {
      close(inner);
      refuse(client, openNanos);
      return;
    }
    LinkConnection connection = new LinkConnection(this, numbers.incrementAndGet(), client, inner);
    connections.add(connection);
    listener.opened(connection.number(), target, openNanos - profile.roundTrip().toNanos());
    connection.start(openNanos);
    if (closed) {
      connection.cut();
    }
  }

  private void refuse(Socket client, long openNanos) {
    try {
      clock.sleepUntil(openNanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    close(client);
  }

  private static void daemon(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Waits until the link has been idle for a time.
   *
   * @throws IOException it does not become quiet within {@code longest}
   */
  public void awaitQuiet(Duration quiet, Duration longest) throws IOException {
    long begin = clock.nanoTime();
    try {
      while (true) {
        long now = clock.nanoTime();
        long quietAt = (isBusy() ? now : lastArrivalNanos.get()) + quiet.toNanos();
        if (now - quietAt >= 0) {
          return;
        }
        if (now - begin > longest.toNanos()) {
          throw new IOException(profile.name() + " link is still busy after " + longest);
        }
        clock.sleepUntil(quietAt);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private boolean isBusy() {
    return connections.stream().anyMatch(LinkConnection::isBusy);
  }

  void onArrived() {
    lastArrivalNanos.set(clock.nanoTime());
  }

  void onClosed(LinkConnection connection) {
    connections.remove(connection);
    listener.closed(connection.number());
  }

  /** The profile of this link. */
  public LinkProfile profile() {
    return profile;
  }

  Line line(Direction direction) {
    return lines.get(direction);
  }

  LinkListener listener() {
    return listener;
  }

  LinkClock clock() {
    return clock;
  }

  static void close(Closeable socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is of no use any more, which was the purpose.
    }
  }

  /** Cuts everything. */
  @Override
  public void close() {
    closed = true;
    listening.forEach(EmulatedLink::close);
    connections.forEach(LinkConnection::cut);
  }
}

package io.rmigate.gateway.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A TCP relay that counts what passes: bytes, connections, and how often the direction changed.
 * Between an agent and a gateway of plain HTTP these are the bytes that TLS would carry, WebSocket
 * framing included; between a client and an RMI server they are those of plain RMI.
 *
 * <p>Bytes are counted before they are passed on, so a client that has received an answer finds it
 * counted, and the request too. All connections are counted as one: changes of direction mean round
 * trips only while one thing at a time goes on.
 */
public final class CountingRelay implements AutoCloseable {

  /**
   * What has passed so far.
   *
   * @param bytesForth toward the server: gateway or RMI server
   * @param bytesBack toward the client
   * @param roundTrips how often something came back after something had gone forth
   * @param oneWays how often something went forth after something had come back, and the first time
   * @param connections how many were made
   */
  public record Counts(
      long bytesForth, long bytesBack, long roundTrips, long oneWays, long connections) {

    /** What has passed since {@code before}. */
    public Counts since(Counts before) {
      return new Counts(
          bytesForth - before.bytesForth,
          bytesBack - before.bytesBack,
          roundTrips - before.roundTrips,
          oneWays - before.oneWays,
          connections - before.connections);
    }

    /** Both ways together. */
    public long bytes() {
      return bytesForth + bytesBack;
    }
  }

  /** Bytes that passed in one direction before the direction changed. */
  public record Passage(boolean forth, long bytes) {
    @Override
    public String toString() {
      return (forth ? "» " : "« ") + bytes;
    }
  }

  private final RelayedConnections connections;

  /** Nothing that they send passes any more, not even their end. */
  private final Set<Socket> muted = ConcurrentHashMap.newKeySet();

  private final Object lock = new Object();
  private final List<Passage> passages = new ArrayList<>();
  private Counts counts = new Counts(0, 0, 0, 0, 0);

  private CountingRelay(InetAddress address, int port, InetSocketAddress target)
      throws IOException {
    connections = new RelayedConnections(address, port, target, "counting-relay");
    connections.start(this::countConnection, this::pump);
  }

  /** To that port of loopback, listening at any free one of loopback. */
  public static CountingRelay to(int port) throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    return new CountingRelay(loopback, 0, new InetSocketAddress(loopback, port));
  }

  /** To a gateway on loopback; {@link #uri} is what agents are given. */
  public static CountingRelay to(GatewayUnderTest gateway) throws IOException {
    return to(gateway.uri().getPort());
  }

  /**
   * Listening where a stub says that its server is: at the server's own port, on another address of
   * this machine such as 127.0.0.2.
   */
  public static CountingRelay at(InetAddress address, int port, InetSocketAddress target)
      throws IOException {
    return new CountingRelay(address, port, target);
  }

  /** Where it listens. */
  public int port() {
    return connections.port();
  }

  /** The gateway's address by way of this relay. */
  public URI uri(GatewayUnderTest gateway) {
    URI direct = gateway.uri();
    return URI.create(direct.getScheme() + "://127.0.0.1:" + port() + direct.getPath());
  }

  /** What has passed so far. */
  public Counts counts() {
    synchronized (lock) {
      return counts;
    }
  }

  /** What has passed so far, by direction and in order; for the message of a failed test. */
  public List<Passage> passages() {
    synchronized (lock) {
      return List.copyOf(passages);
    }
  }

  private void count(boolean forth, int bytes) {
    synchronized (lock) {
      int last = passages.size() - 1;
      boolean turned = last < 0 || passages.get(last).forth() != forth;
      if (turned) {
        passages.add(new Passage(forth, bytes));
      } else {
        passages.set(last, new Passage(forth, passages.get(last).bytes() + bytes));
      }
      counts =
          new Counts(
              counts.bytesForth + (forth ? bytes : 0),
              counts.bytesBack + (forth ? 0 : bytes),
              counts.roundTrips + (turned && !forth && last >= 0 ? 1 : 0),
              counts.oneWays + (turned && forth ? 1 : 0),
              counts.connections);
    }
  }

  private void countConnection() {
    synchronized (lock) {
      counts =
          new Counts(
              counts.bytesForth,
              counts.bytesBack,
              counts.roundTrips,
              counts.oneWays,
              counts.connections + 1);
    }
  }

  private void pump(Socket from, Socket to, boolean forth) {
    byte[] buffer = new byte[64 * 1024];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int bytes = in.read(buffer); bytes >= 0; bytes = in.read(buffer)) {
        if (!muted.contains(from)) {
          count(forth, bytes);
          out.write(buffer, 0, bytes);
        }
      }
      if (muted.contains(from)) {
        return; // close() ends both: the other direction may only just begin
      }
      to.shutdownOutput(); // the other direction may go on
      if (from.isOutputShutdown()) {
        connections.end(from);
        connections.end(to);
      }
    } catch (IOException broken) {
      if (!muted.contains(from)) {
        connections.end(from);
        connections.end(to);
      }
    }
  }

  /** Cuts every connection there is. */
  public void cut() {
    connections.endAll();
  }

  /**
   * Lets nothing pass on any connection there is, without a word to either side: what a machine
   * without power looks like, or a firewall that has forgotten. New connections are as ever.
   */
  public void mute() {
    muted.addAll(connections.open());
  }

  @Override
  public void close() throws IOException {
    connections.close();
  }
}

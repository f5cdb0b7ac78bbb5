package io.rmigate.client.socket;

import io.rmigate.client.deadline.CallClock;
import io.rmigate.client.deadline.Deadlines;
import io.rmigate.client.virtual.VirtualSocket;
import io.rmigate.client.way.ReachedServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;

/**
 * A connection to an RMI server past the gateway: plain RMI, of which nothing is mediated. The
 * server has answered the header before anybody knew of this socket; the header that the RMI
 * runtime sends is kept back, and that answer is what it reads first. Calls have their deadlines as
 * on other connections, except that a request which the network does not take is waited for.
 *
 * <p>The usual contract of a socket: one thread converses, anybody closes.
 */
public final class UnmediatedSocket extends VirtualSocket {
  /** More than a Call has in front of its arguments. */
  private static final int BEGINNING_BYTES = 64;

  private final ReachedServer server;
  private final String host;
  private final int port;
  private final CallTiming timing;
  private final byte[] beginning = new byte[BEGINNING_BYTES];

  /** How much of the header the RMI runtime has sent. */
  private int header;

  /** How much of the answer to it has been read. */
  private int answered;

  /** What the runtime says of itself behind the header: the length first, then the rest. */
  private int endpoint = -Short.BYTES;

  private int hostLength;
  private int begun;
  private boolean sending;
  private long sentNanos;
  private CallClock clock = CallClock.UNBOUNDED;
  private int timeoutSet;
  private volatile boolean closed;

  /**
   * Over a connection that has been made.
   *
   * @param startNanos when it was asked for
   */
  public UnmediatedSocket(
      ReachedServer server, Deadlines deadlines, String host, int port, long startNanos)
      throws SocketException {
    this.server = server;
    this.host = host;
    this.port = port;
    this.timing = new CallTiming(deadlines, host, port, startNanos);
  }

  @Override
  protected int read(byte[] buffer, int offset, int length, int timeoutMillis) throws IOException {
    byte[] answer = server.acknowledgement();
    if (answered < answer.length) {
      int count = Math.min(length, answer.length - answered);
      System.arraycopy(answer, answered, buffer, offset, count);
      answered += count;
      return count;
    }
    if (sending) {
      sending = false;
      sentNanos = System.nanoTime();
      clock = timing.clock(beginning, begun);
    }
    int timeout = timing.atMost(timeoutMillis);
    try {
      if (timeout != timeoutSet) {
        server.connection().top().setSoTimeout(timeout);
        timeoutSet = timeout;
      }
      return server.connection().input().read(buffer, offset, length);
    } catch (SocketTimeoutException late) {
      if (!timing.isOver()) {
        throw late;
      }
      end(); // its answer would be taken for that of the next call
      throw clock.notAnswered(sentNanos, Duration.ZERO);
    }
  }

  @Override
  protected void write(byte[] bytes, int offset, int length) throws IOException {
    int at = skipHeader(bytes, offset, length);
    int end = offset + length;
    int from = at;
    while (at < end && endpoint <= hostLength + Integer.BYTES - 1) {
      passEndpoint(bytes[at++]);
    }
    if (at < end) {
      begin(bytes, at, end - at);
    }
    if (from < end) {
      server.connection().output().write(bytes, from, end - from);
    }
  }

  private int skipHeader(byte[] bytes, int offset, int length) throws IOException {
    byte[] sent = server.header();
    int count = Math.min(length, sent.length - header);
    if (!Arrays.equals(bytes, offset, offset + count, sent, header, header + count)) {
      throw new IOException("expected the header of RMI's stream protocol on this connection");
    }
    header += count;
    return offset + count;
  }

  private void passEndpoint(byte b) {
    if (endpoint < 0) {
      hostLength = hostLength << 8 | (b & 0xFF);
    }
    endpoint++;
  }

  private void begin(byte[] bytes, int offset, int length) throws IOException {
    if (!sending) {
      sending = true;
      begun = 0;
      timing.begin();
    }
    int before = begun;
    int count = Math.min(length, beginning.length - begun);
    System.arraycopy(bytes, offset, beginning, begun, count);
    begun += count;
    if (before == 0 && begun == beginning.length) {
      clock = timing.clock(beginning, begun);
      if (timing.isOver()) {
        end();
        throw clock.notSent();
      }
    }
  }

  @Override
  protected int available() throws IOException {
    int left = server.acknowledgement().length - answered;
    return left > 0 ? left : server.connection().input().available();
  }

  @Override
  protected void end() {
    closed = true;
    server.close();
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  /** Of the server, or of the HTTP proxy where it is not known here, by the name of the server. */
  @Override
  public InetAddress getInetAddress() {
    try {
      return InetAddress.getByAddress(
          host, server.connection().plain().getInetAddress().getAddress());
    } catch (UnknownHostException impossible) {
      throw new AssertionError("it was an address", impossible);
    }
  }

  @Override
  public int getPort() {
    return port;
  }

  @Override
  public InetAddress getLocalAddress() {
    return server.connection().plain().getLocalAddress();
  }

  @Override
  public int getLocalPort() {
    return server.connection().plain().getLocalPort();
  }

  @Override
  public SocketAddress getRemoteSocketAddress() {
    return new InetSocketAddress(getInetAddress(), port);
  }

  @Override
  public String toString() {
    return "UnmediatedSocket["
        + host
        + ":"
        + port
        + " by "
        + server.way().text()
        + (closed ? ",closed]" : "]");
  }
}

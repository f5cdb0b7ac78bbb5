package io.rmigate.client.socket;

import io.rmigate.client.callback.OutwardMessage;
import io.rmigate.client.callback.OwnReferences;
import io.rmigate.client.deadline.CallClock;
import io.rmigate.client.deadline.Deadlines;
import io.rmigate.client.ladder.ReachedServer;
import io.rmigate.client.mediator.RefusedCall;
import io.rmigate.client.virtual.VirtualSocket;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.message.ExceptionalReturn;
import io.rmigate.protocol.jrmp.message.ReferenceRewriter;
import java.io.ByteArrayOutputStream;
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
 * server has answered the header before this socket was made; the header that the RMI runtime sends
 * is kept back, and that answer is what it reads first. Calls have their deadlines as on other
 * connections, except that a request which the network does not take is waited for.
 *
 * <p>The usual contract of a socket: one thread converses, any thread closes.
 */
public final class UnmediatedSocket extends VirtualSocket {
  /** More than a Call has in front of its arguments. */
  private static final int BEGINNING_BYTES = 64;

  private static final int ACK_BYTES = 1 + Jrmp.UID_BYTES;

  /** This number of bytes of a Call is held, to be looked through at once. */
  private static final int HELD_BYTES = 16 * 1024;

  private static final int READ_BYTES = 8 * 1024;
  private static final byte[] NOTHING = {};

  private final ReachedServer server;

  /** The references that name the gateway for this server; null where none has to. */
  private final OwnReferences references;

  private final String host;
  private final int port;
  private final CallTiming timing;
  private final byte[] beginning = new byte[BEGINNING_BYTES];

  /** How much of the header the RMI runtime has sent. */
  private int header;

  /** How much of the answer to it has been read. */
  private int answered;

  /** Position in the endpoint that the runtime sends behind the header; negative in its length. */
  private int endpoint = -Short.BYTES;

  private int hostLength;
  private int begun;
  private boolean sending;
  private long sentNanos;
  private CallClock clock = CallClock.UNBOUNDED;
  private int timeoutSet;

  /** How much of a DgcAck is still to be written. */
  private int ackLeft;

  /** The Call that is written, if references in it may have to name the gateway; else null. */
  private OutwardMessage outward;

  /** Bytes of the Call in {@code outward} that have been written and not sent. */
  private final ByteArrayOutputStream held = new ByteArrayOutputStream(0);

  /** Why the gateway cannot be named in that Call, of which nothing more is sent; else null. */
  private IOException unnameable;

  /** Whether a part of that Call has been sent. */
  private boolean sentInPart;

  /** The Return, if references in it may have to become local; else null. */
  private ReferenceRewriter inward;

  /** Bytes to be read before those that come: the rewritten Return, or a Return in its place. */
  private byte[] ahead = NOTHING;

  private int aheadRead;
  private volatile boolean closed;

  /**
   * Over a connection that has been made.
   *
   * @param references to objects of this JVM that are to name the gateway on this connection; null
   *     where they pass as they are
   * @param startNanos when it was asked for
   */
  public UnmediatedSocket(
      ReachedServer server,
      OwnReferences references,
      Deadlines deadlines,
      String host,
      int port,
      long startNanos)
      throws SocketException {
    this.server = server;
    this.references = references;
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
      sendHeld(true);
      sentNanos = System.nanoTime();
      clock = timing.clock(beginning, begun);
    }
    if (length == 0) {
      return 0;
    }
    if (inward == null && aheadRead == ahead.length) {
      return receive(buffer, offset, length, timeoutMillis);
    }
    while (aheadRead == ahead.length) {
      byte[] raw = new byte[READ_BYTES];
      int count = receive(raw, 0, raw.length, timeoutMillis);
      if (count < 0) {
        return count;
      }
      ahead = inward.more(raw, 0, count, false);
      aheadRead = 0;
    }
    int count = Math.min(length, ahead.length - aheadRead);
    System.arraycopy(ahead, aheadRead, buffer, offset, count);
    aheadRead += count;
    return count;
  }

  private int receive(byte[] buffer, int offset, int length, int timeoutMillis) throws IOException {
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
    if (!sending) {
      at = passAck(bytes, at, end);
    }
    if (at < end) {
      begin(bytes, at, end - at);
    }
    if (outward == null) {
      send(bytes, from, end - from);
    } else {
      send(bytes, from, at - from);
      hold(bytes, at, end - at);
    }
  }

  /** The index behind a DgcAck: nothing answers it, so that another message may follow at once. */
  private int passAck(byte[] bytes, int at, int end) {
    if (ackLeft == 0 && at < end && bytes[at] == Jrmp.DGC_ACK) {
      ackLeft = ACK_BYTES;
    }
    int count = Math.min(ackLeft, end - at);
    ackLeft -= count;
    return at + count;
  }

  private void send(byte[] bytes, int offset, int length) throws IOException {
    if (length > 0) {
      server.connection().output().write(bytes, offset, length);
    }
  }

  private void hold(byte[] bytes, int offset, int length) throws IOException {
    held.write(bytes, offset, length);
    if (held.size() > HELD_BYTES) {
      sendHeld(false);
    }
  }

  /**
   * The Call as it is to leave, up to here. One that cannot name the gateway is not sent, or not to
   * its end, so that it is not executed; its caller is told so.
   */
  private void sendHeld(boolean last) throws IOException {
    if (outward == null) {
      return;
    }
    byte[] call = held.toByteArray();
    held.reset();
    byte[] named = unnameable == null ? nameGateway(call, last) : NOTHING;
    send(named, 0, named.length);
    sentInPart |= named.length > 0;
    if (!last) {
      return;
    }
    outward = null;
    inward = references.inwardReturn(); // what has left with this Call may come back
    if (unnameable != null) {
      ahead = ExceptionalReturn.encode(RefusedCall.withoutLink(unnameable, host));
      if (sentInPart) {
        server.close();
      }
    }
  }

  private byte[] nameGateway(byte[] call, boolean last) {
    try {
      return outward.more(call, call.length, last);
    } catch (IOException noPort) {
      unnameable = noPort;
      return NOTHING;
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
      beginMessage(bytes[offset]);
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

  private void beginMessage(byte code) {
    boolean call = references != null && code == Jrmp.CALL;
    outward = call ? references.outwardCall() : null;
    inward = call ? references.inwardReturn() : null;
    unnameable = null;
    sentInPart = false;
    ahead = NOTHING;
    aheadRead = 0;
  }

  @Override
  protected int available() throws IOException {
    int left = server.acknowledgement().length - answered + ahead.length - aheadRead;
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

  /** Address of the server, or of the HTTP proxy if unknown here; it has the server's name. */
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

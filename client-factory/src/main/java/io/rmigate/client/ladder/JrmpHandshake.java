package io.rmigate.client.ladder;

import io.rmigate.client.transport.net.ServerConnection;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.Jrmp;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * The beginning of a JRMP connection as a client makes it, which shows that an RMI server is at the
 * other end: transparent proxies and load balancers accept TCP for anything. Costs the round trip
 * that the RMI runtime would wait for, which is then answered from here.
 */
final class JrmpHandshake {
  /** Magic, version, StreamProtocol: what every client of the JDK begins with. */
  private static final byte[] HEADER =
      ByteBuffer.allocate(Integer.BYTES + Short.BYTES + 1)
          .putInt(Jrmp.MAGIC)
          .putShort((short) Jrmp.VERSION)
          .put((byte) Jrmp.STREAM_PROTOCOL)
          .array();

  /** Far above what a host needs. */
  private static final int MAX_HOST_BYTES = 1024;

  private final ServerConnection connection;
  private final String server;
  private final Duration timeout;
  private final long deadlineNanos;
  private final byte[] answer = new byte[1 + Short.BYTES + MAX_HOST_BYTES + Integer.BYTES];
  private int length;

  private JrmpHandshake(ServerConnection connection, String server, Duration timeout) {
    this.connection = connection;
    this.server = server;
    this.timeout = timeout;
    this.deadlineNanos = System.nanoTime() + timeout.toNanos();
  }

  /** A copy of what was sent. */
  static byte[] header() {
    return HEADER.clone();
  }

  /**
   * Sends the header and waits for the acknowledgement.
   *
   * @param server for messages
   * @return the ProtocolAck and the endpoint behind it, as they came
   * @throws ProtocolViolationException it is no RMI server
   */
  static byte[] shake(ServerConnection connection, String server, Duration timeout)
      throws IOException {
    return new JrmpHandshake(connection, server, timeout).shake();
  }

  private byte[] shake() throws IOException {
    connection.output().write(HEADER);
    connection.output().flush();
    try {
      read(1);
      int code = answer[0] & 0xFF;
      if (code != Jrmp.PROTOCOL_ACK) {
        throw foreign("0x%02x".formatted(code));
      }
      read(Short.BYTES);
      int host = ByteBuffer.wrap(answer).getShort(1) & 0xFFFF;
      if (host > MAX_HOST_BYTES) {
        throw foreign("a host of " + host + " bytes");
      }
      read(host + Integer.BYTES);
    } catch (SocketTimeoutException late) {
      SocketTimeoutException silent =
          new SocketTimeoutException(
              server
                  + " was connected to, and does not answer the RMI handshake within "
                  + timeout.toMillis()
                  + " ms: does something else accept the connection in its place?");
      silent.initCause(late);
      throw silent;
    }
    connection.top().setSoTimeout(0);
    return Arrays.copyOf(answer, length);
  }

  private ProtocolViolationException foreign(String got) {
    return new ProtocolViolationException(
        server + ": expected the answer of an RMI server, got " + got);
  }

  private void read(int count) throws IOException {
    InputStream in = connection.input();
    int end = length + count;
    while (length < end) {
      long left = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
      if (left <= 0) {
        throw new SocketTimeoutException("late");
      }
      connection.top().setSoTimeout((int) Math.min(left, Integer.MAX_VALUE));
      int more = in.read(answer, length, end - length);
      if (more < 0) {
        throw new EOFException(server + " was connected to, and hung up at the RMI handshake");
      }
      length += more;
    }
  }
}

package io.rmigate.gateway.stream;

import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The SingleOp connection of the latest Call of a stream that needed one, and the bytes of that
 * Call that wait until the server has proven to be JRMP. Guarded by {@link OpenStream#lock()}.
 */
final class IsolatedConnection {
  private final RequestWindow window;
  private final Deque<byte[]> backlog = new ArrayDeque<>();
  private int backlogBytes;

  /** Null before the first such Call, and after its end. */
  private StreamConnection connection;

  IsolatedConnection(RequestWindow window) {
    this.window = window;
  }

  /** The connection of the next Call; there is none before. */
  void begin(StreamConnection next) {
    connection = next;
  }

  /** Null while there is none. */
  StreamConnection connection() {
    return connection;
  }

  /** Whether there is this connection, or, for null, none. */
  boolean is(StreamConnection other) {
    return connection == other;
  }

  /** Bytes that no operating system has taken. */
  int waiting() {
    return (connection == null ? 0 : connection.unwritten()) + backlogBytes;
  }

  /** Whether bytes wait for a handshake. */
  boolean hasBacklog() {
    return !backlog.isEmpty();
  }

  /** Sends bytes at once. */
  void send(byte[] bytes) {
    if (!connection.send(bytes, false)) {
      window.consumed(bytes.length); // it has just ended, as we are about to hear
    }
  }

  /** Keeps bytes until a handshake. */
  void keep(byte[] bytes) {
    backlog.add(bytes);
    backlogBytes += bytes.length;
  }

  /** The oldest bytes that have waited for a handshake; they do not any more. */
  byte[] takeKept() {
    byte[] next = backlog.remove();
    backlogBytes -= next.length;
    return next;
  }

  /** The connection goes to that address and nowhere else. */
  void pin(InetSocketAddress proven) {
    connection.pin(proven);
  }

  /** Forgets what waits for a handshake. */
  void forgetBacklog() {
    for (byte[] unsent : backlog) {
      window.consumed(unsent.length);
    }
    backlog.clear();
    backlogBytes = 0;
  }

  /** Ends the connection, if there is one. */
  void close() {
    if (connection != null) {
      connection.close();
      connection = null;
    }
  }

  /** The connection has ended by itself. */
  void onClosed() {
    connection = null;
  }
}

package io.rmigate.client.transport;

import io.rmigate.client.config.Way;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One established connection to a gateway that carries the bytes of link frames in both directions.
 *
 * <p>Message boundaries of the underlying protocol carry no meaning: the frames form one byte
 * stream each way (PROTOCOL.md, "Transports"). At most one thread reads and at most one thread
 * writes at a time; the two may differ and {@link #close} may come from any third. Blocking I/O, no
 * thread of its own, nothing interruptible.
 */
public interface Transport extends Closeable {

  /**
   * Reads at least one byte of the frame stream, blocking until there is one. Control traffic of
   * the transport itself (WebSocket pings) is answered on the way.
   *
   * @return the number of bytes put at {@code offset}, at least 1; −1 once the gateway has closed
   *     in an orderly way
   */
  int read(byte[] buffer, int offset, int length) throws IOException;

  /**
   * Writes the bytes as one unit and returns when the operating system has them. The range of
   * {@code buffer} may be overwritten (masking in place).
   */
  void write(byte[] buffer, int offset, int length) throws IOException;

  /**
   * How long the round trip took in which the gateway has taken the hello; empty if it has not
   * taken it. If it has, the hello must not be written again.
   */
  default OptionalLong helloNanos() {
    return OptionalLong.empty();
  }

  /**
   * Whether nothing has shown yet that what is written gets to the gateway. Once it has, it stays
   * so; a connection that is lost before may be lost because of its transport.
   */
  default boolean isUnproven() {
    return false;
  }

  /** Bytes received from and sent to the network so far, framing included, before TLS. */
  long bytesReceived();

  /** See {@link #bytesReceived()}. */
  long bytesSent();

  /**
   * Grows whenever something has come from the network, even if it cannot be read yet: bytes below
   * TLS where they are known. From any thread.
   */
  default long arrivals() {
    return bytesReceived();
  }

  /** How it travels; empty when that is of no interest, as in tests. */
  default Optional<Way> way() {
    return Optional.empty();
  }

  /** A short text for logs: transport, gateway, HTTP proxy. */
  @Override
  String toString();

  /**
   * Closes at once and wakes a thread that reads or writes. Never blocks for the peer: a close
   * frame is sent if that is possible without waiting. Idempotent.
   */
  @Override
  void close();

  /**
   * Closes a connection that the gateway has given up: what was said there last does not matter.
   */
  default void abandon() {
    close();
  }
}

package io.rmigate.protocol.coding;

import io.rmigate.protocol.ProtocolViolationException;

/** The receiving side's context of a coding, fresh when made. Confined to one thread at a time. */
interface Decoder extends AutoCloseable {

  /** Takes the body of a frame; what it yields is then {@link #read} to its end. */
  void begin(byte[] body);

  /**
   * The next bytes that the body yields.
   *
   * @return how many were put into {@code buffer}; 0 when there are no more
   * @throws ProtocolViolationException the body cannot be undone; the context is of no more use
   */
  int read(byte[] buffer) throws ProtocolViolationException;

  /** Forgets what has been decoded. */
  void restart();

  @Override
  void close();
}

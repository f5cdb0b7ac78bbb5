package io.rmigate.protocol.coding;

/** The sending side's context of a coding, fresh when made. Confined to one thread at a time. */
interface Encoder extends AutoCloseable {

  /** The most {@link #encode} takes at once, such that the result fits one frame. */
  int maxInputBytes();

  /** Most bytes that {@code inputBytes} may become. */
  int maxCodedBytes(int inputBytes);

  /**
   * Codes some bytes as the body of one frame, from which all of them can be had back at once.
   *
   * @param to has room for {@link #maxCodedBytes}
   * @return how many bytes it holds then, at least one
   */
  int encode(byte[] from, int offset, int length, byte[] to);

  /** Forgets what has been coded. */
  void restart();

  @Override
  void close();
}

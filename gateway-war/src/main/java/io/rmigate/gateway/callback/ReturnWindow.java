package io.rmigate.gateway.callback;

import io.rmigate.protocol.ProtocolViolationException;

/**
 * How much an agent may send to one inner JVM, and what it gets back of that as the JVM takes it
 * (PROTOCOL.md, section 8). Guarded by the stream's lock.
 */
final class ReturnWindow {
  private final int size;
  private long granted;
  private int consumed;

  /** Given back in advance: the next bytes that are consumed pay for it. */
  private long lent;

  ReturnWindow(int size) {
    this.size = size;
    this.granted = size;
  }

  /** Bytes have come from the agent. */
  void arrived(int stream, int bytes) throws ProtocolViolationException {
    granted -= bytes;
    if (granted < 0) {
      throw new ProtocolViolationException(
          "expected no more than the credit on stream " + stream + ", got " + -granted);
    }
  }

  /**
   * Bytes are held until more of their Return has come, which needs credit: their credit is given
   * back now, once. The holder counts them.
   *
   * @return the credit to give now, perhaps 0
   */
  int lend(int bytes) {
    lent += bytes;
    return giveBack(bytes);
  }

  /**
   * Bytes are no longer kept. Their credit is given back in halves of the window. Bytes of the
   * gateway's own answers may be counted, too: never more credit is given back than was taken.
   *
   * @return the credit to give now, perhaps 0
   */
  int consumed(int bytes) {
    int paid = (int) Math.min(lent, bytes);
    lent -= paid;
    return giveBack(bytes - paid);
  }

  private int giveBack(int bytes) {
    consumed += bytes;
    if (consumed < size / 2) {
      return 0;
    }
    int back = (int) Math.min(consumed, size - granted);
    granted += back;
    consumed = 0;
    return back;
  }
}

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

  /** So many bytes have come from the agent. */
  void arrived(int stream, int bytes) throws ProtocolViolationException {
    granted -= bytes;
    if (granted < 0) {
      throw new ProtocolViolationException(
          "expected no more than the credit on stream " + stream + ", got " + -granted);
    }
  }

  /**
   * So many bytes are held back until more of their Return has come, which needs room: theirs is
   * given back now, once. Who holds them counts them.
   *
   * @return the credit to give now, perhaps 0
   */
  int lend(int bytes) {
    lent += bytes;
    return giveBack(bytes);
  }

  /**
   * Nobody keeps so many bytes any more. Their room is given back in halves of the window. What was
   * answered here may count too: never more is given back than was taken.
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

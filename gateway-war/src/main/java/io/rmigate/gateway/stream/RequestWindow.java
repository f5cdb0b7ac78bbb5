package io.rmigate.gateway.stream;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.tunnel.Credit;

/**
 * How much of its requests an agent may send on one stream, and what it gets back of that as the
 * server takes them (PROTOCOL.md, section 8).
 *
 * <p>Guarded by {@link OpenStream#lock()}.
 */
final class RequestWindow {
  private final StreamSession session;
  private final int stream;

  private long granted;
  private int consumedUnreported;

  /** Given back in advance: the next bytes that are consumed pay for it. */
  private long lent;

  private final WaitingRoom waiting;

  private boolean closed;

  RequestWindow(StreamSession session, int stream, int granted) {
    this.session = session;
    this.stream = stream;
    this.granted = granted;
    this.waiting = new WaitingRoom(session.share().heldBytes());
  }

  /** So many bytes have come from the agent. */
  void arrived(int bytes) throws ProtocolViolationException {
    granted -= bytes;
    if (granted < 0) {
      throw new ProtocolViolationException(
          "expected no more than the credit on stream " + stream + ", got " + -granted);
    }
  }

  /**
   * So many bytes are held back until more of their request has come, which needs room: theirs is
   * given back now, once. They count as held until nobody keeps them any more.
   *
   * @return false when too much is held for all sessions together; then nothing has happened
   */
  boolean lend(int bytes) {
    if (!session.share().heldBytes().take(bytes)) {
      return false;
    }
    lent += bytes;
    giveBack(bytes);
    return true;
  }

  /**
   * So many bytes of requests that may pass wait for servers. They count as held until these have
   * taken them, as those do that were lent.
   *
   * @param anyway so many more may wait whether there is room or not
   * @return false when there is no room for more than waited before; then nothing has happened
   */
  boolean holdsWaiting(int bytes, int anyway) {
    return waiting.holds(closed ? 0 : bytes - Math.min(lent, bytes), anyway);
  }

  /** Whether some bytes are held back still that were lent. */
  boolean hasLent() {
    return lent > 0;
  }

  /** Nobody keeps these bytes any more. Their room is given back in halves of the window. */
  void consumed(int bytes) {
    int paid = (int) Math.min(lent, bytes);
    lent -= paid;
    session.share().heldBytes().release(paid);
    giveBack(bytes - paid);
  }

  private void giveBack(int bytes) {
    consumedUnreported += bytes;
    if (consumedUnreported >= session.settings().credit() / 2 && !closed) {
      session.agent().add(new Credit(stream, consumedUnreported));
      granted += consumedUnreported;
      consumedUnreported = 0;
      session.agent().flush();
    }
  }

  /** Nothing is given back from here on. */
  void close() {
    closed = true;
    session.share().heldBytes().release(lent);
    lent = 0;
    holdsWaiting(0, 0);
  }
}

package io.rmigate.gateway.stream;

import io.rmigate.gateway.quota.WaitingRoom;
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

  /** Credit that was given back in advance; the next consumed bytes pay for it. */
  private long lent;

  private final WaitingRoom waiting;

  private boolean closed;

  RequestWindow(StreamSession session, int stream, int granted) {
    this.session = session;
    this.stream = stream;
    this.granted = granted;
    this.waiting = new WaitingRoom(session.share().room().heldBytes());
  }

  /** Bytes have come from the agent. */
  void arrived(int bytes) throws ProtocolViolationException {
    granted -= bytes;
    if (granted < 0) {
      throw new ProtocolViolationException(
          "expected no more than the credit on stream " + stream + ", got " + -granted);
    }
  }

  /**
   * Bytes are held back until more of their request has come, which needs credit: theirs is given
   * back now, once. They count as held until they are {@link #consumed}.
   *
   * @return false when the messages of all sessions take too much memory; then nothing has happened
   */
  boolean lend(int bytes) {
    if (!session.share().room().heldBytes().take(bytes)) {
      return false;
    }
    lent += bytes;
    giveBack(bytes);
    return true;
  }

  /**
   * Bytes of permitted requests wait for servers. They count as held until these have taken them,
   * as those do that were lent.
   *
   * @param anyway number of bytes more that may wait even without room
   * @return false when there is no room for more than waited before; then nothing has happened
   */
  boolean holdsWaiting(int bytes, int anyway) {
    return waiting.holds(closed ? 0 : bytes - Math.min(lent, bytes), anyway);
  }

  /** Whether some bytes are held back still that were lent. */
  boolean hasLent() {
    return lent > 0;
  }

  /** These bytes are kept no longer. Their credit is given back in halves of the window. */
  void consumed(int bytes) {
    int paid = (int) Math.min(lent, bytes);
    lent -= paid;
    session.share().room().heldBytes().release(paid);
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

  /** Closes the window: it releases the lent bytes, and gives back no credit from here on. */
  void close() {
    closed = true;
    session.share().room().heldBytes().release(lent);
    lent = 0;
    holdsWaiting(0, 0);
  }
}

package io.rmigate.gateway.session;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Tunnel;
import io.rmigate.protocol.tunnel.Unconfirmed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiPredicate;
import java.util.function.LongSupplier;

/**
 * Sends a session's bytes over one transport connection after another. Without a connection a send
 * does not end until there is one again, so that the session's queue holds the rest back by itself;
 * what the agent has not confirmed is kept, and goes out again first (PROTOCOL.md, section 6,
 * "Resume").
 *
 * <p>Lock: {@code lock} guards everything; connections are called, and told of, outside it.
 */
final class SessionCarrier implements LinkPort {
  private static final int REPLAY_BYTES = 64 * 1024;

  /** A transport connection of the session, from its beginning to its loss. */
  final class Attachment implements SendEnd {
    private final LinkPort port;

    /** Position of the session's bytes up to which they are sent when the send under way ends. */
    private long target;

    private Attachment(LinkPort port) {
      this.port = port;
    }

    LinkPort port() {
      return port;
    }

    @Override
    public void sendEnded(Throwable failure) {
      if (failure == null) {
        goOn(this);
      } else if (!goesOn.test(this, failure)) {
        fail(this, failure);
      }
    }
  }

  private final BiPredicate<Attachment, Throwable> goesOn;
  private final ReentrantLock lock = new ReentrantLock();
  private final Unconfirmed unconfirmed = new Unconfirmed();

  /** The current connection; null while there is none. */
  private Attachment current;

  /** The current connection, or the latest one while there is none. */
  private volatile LinkPort latest;

  /** Position of the session's bytes up to which they were sent on the current connection. */
  private long sent;

  /** A send is under way on the current connection. */
  private boolean sending;

  /** Waits for the end of a send; null if there is none. */
  private SendEnd waiting;

  private boolean keeping = true;
  private long progressNanos;

  /** The clock of the session, as {@link System#nanoTime}. */
  private final LongSupplier nanoTime;

  /**
   * @param goesOn told when a send on a connection has failed; whether the session outlives that
   * @param nanoTime the clock, as {@link System#nanoTime}
   */
  SessionCarrier(LinkPort first, BiPredicate<Attachment, Throwable> goesOn, LongSupplier nanoTime) {
    this.goesOn = goesOn;
    this.nanoTime = nanoTime;
    this.progressNanos = nanoTime.getAsLong();
    this.latest = first;
    this.current = new Attachment(first);
  }

  /** The connection there is; null when there is none. */
  Attachment current() {
    lock.lock();
    try {
      return current;
    } finally {
      lock.unlock();
    }
  }

  /** Stops keeping bytes to resume from: the session ends with its first connection. */
  void notResumable() {
    lock.lock();
    try {
      keeping = false;
      unconfirmed.clear();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void send(ByteBuffer bytes, SendEnd end) {
    Attachment over = null;
    lock.lock();
    try {
      waiting = end;
      progressNanos = nanoTime.getAsLong();
      int length = bytes.remaining();
      if (keeping) {
        unconfirmed.append(bytes.array(), bytes.arrayOffset() + bytes.position(), length);
      }
      if (current != null && !sending && !isHeldBack()) {
        over = current;
        over.target = keeping ? unconfirmed.end() : sent + length;
        sending = true;
      }
    } finally {
      lock.unlock();
    }
    if (over != null) {
      over.port.send(bytes, over);
    }
  }

  private boolean isHeldBack() {
    return keeping && sent - unconfirmed.begin() >= Tunnel.MAX_UNCONFIRMED_BYTES;
  }

  /** A send on a connection has ended well: what is kept and was not sent there goes next. */
  private void goOn(Attachment on) {
    ByteBuffer next = null;
    SendEnd done = null;
    lock.lock();
    try {
      if (current != on) {
        return;
      }
      sent = on.target;
      progressNanos = nanoTime.getAsLong();
      next = nextPiece();
      if (next == null) {
        sending = false;
        if (!keeping || sent == unconfirmed.end()) {
          done = waiting;
          waiting = null;
        }
      }
    } finally {
      lock.unlock();
    }
    if (next != null) {
      on.port.send(next, on);
    } else if (done != null) {
      done.sendEnded(null);
    }
  }

  /** A send on a connection has failed for good. */
  private void fail(Attachment on, Throwable failure) {
    SendEnd failed = null;
    lock.lock();
    try {
      if (current == on) {
        sending = false;
        failed = waiting;
        waiting = null;
      }
    } finally {
      lock.unlock();
    }
    if (failed != null) {
      failed.sendEnded(failure);
    }
  }

  /** The next kept bytes to send again or to send late; null when there are none, or no room. */
  private ByteBuffer nextPiece() {
    if (!keeping || sent == unconfirmed.end() || isHeldBack()) {
      return null;
    }
    byte[] piece = new byte[(int) Math.min(REPLAY_BYTES, unconfirmed.end() - sent)];
    unconfirmed.copy(sent, piece, piece.length);
    current.target = sent + piece.length;
    return ByteBuffer.wrap(piece);
  }

  /**
   * The agent has everything before {@code position}.
   *
   * @throws ProtocolViolationException that was never sent
   */
  void confirmed(long position) throws ProtocolViolationException {
    Attachment on = null;
    ByteBuffer next = null;
    lock.lock();
    try {
      long most = sending ? current.target : sent; // what is under way may have arrived
      if (!keeping || position > most) {
        throw new ProtocolViolationException(
            "expected a confirmation of at most 0x%x bytes, got 0x%x".formatted(most, position));
      }
      unconfirmed.confirm(position);
      if (current != null && !sending) {
        next = nextPiece();
        sending = next != null;
        on = current;
      }
    } finally {
      lock.unlock();
    }
    if (next != null) {
      on.port.send(next, on);
    }
  }

  /** Gives back what is not used. Called now and then. */
  void tick() {
    lock.lock();
    try {
      unconfirmed.giveBackIfIdle();
    } finally {
      lock.unlock();
    }
  }

  /** Whether an agent that has everything before {@code position} can be gone on with. */
  boolean reachesBackTo(long position) {
    lock.lock();
    try {
      return keeping && unconfirmed.reachesBackTo(position);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Continues over another connection. Later events of the former one are ignored.
   *
   * @param welcome sent there first; not one of the session's bytes
   */
  Attachment attach(LinkPort port, long received, ByteBuffer welcome)
      throws ProtocolViolationException {
    Attachment next = new Attachment(port);
    Attachment before;
    lock.lock();
    try {
      unconfirmed.confirm(received);
      before = current;
      current = next;
      latest = port;
      sent = received;
      next.target = received;
      sending = true;
      progressNanos = nanoTime.getAsLong();
    } finally {
      lock.unlock();
    }
    if (before != null) {
      before.port.close(CloseCause.LINK_LOST);
    }
    port.send(welcome, next);
    return next;
  }

  /** A connection has been lost; false when it was not the current one any more. */
  boolean detach(Attachment lost) {
    lock.lock();
    try {
      if (current != lost) {
        return false;
      }
      current = null;
      if (sending) {
        sent = lost.target; // perhaps; the agent says so when it comes back
        sending = false;
      }
    } finally {
      lock.unlock();
    }
    lost.port.close(CloseCause.LINK_LOST);
    return true;
  }

  /** Time for which the current connection has not taken the bytes of a send; 0 without one. */
  long stuckNanos(long now) {
    lock.lock();
    try {
      return current == null || waiting == null ? 0 : now - progressNanos;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close(CloseCause cause) {
    LinkPort open;
    SendEnd never = null;
    lock.lock();
    try {
      keeping = false;
      unconfirmed.clear();
      open = current == null ? null : current.port;
      if (open == null) {
        never = waiting;
        waiting = null;
      }
    } finally {
      lock.unlock();
    }
    if (open != null) {
      open.close(cause);
    } else if (never != null) {
      never.sendEnded(new IOException("there is no link to send over"));
    }
  }

  @Override
  public String peer() {
    return latest.peer();
  }
}

package io.rmigate.client.link;

import io.rmigate.client.deadline.CallClock;
import io.rmigate.client.transport.Transport;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.FrameOutput;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Carries the bytes of one session, over one transport connection after another. When one is lost,
 * readers wait, written bytes are kept, and a thread of the {@link Resumer} makes the next one. On
 * it each side goes on where the other has stopped receiving (PROTOCOL.md, section 6, "Resume").
 * Until {@link #resumable} is called, and after {@link #close}, a lost connection is the end.
 *
 * <p>Threads: one reads and one writes at a time; all else from any.
 *
 * <p>Locks: {@code writing}, then {@code lock}. {@code writing} is held while the transport is
 * written to, so that what is sent again goes before what is new. {@code lock} guards the state and
 * is never held during I/O.
 */
final class Carrier {
  private static final int REPLAY_BYTES = 64 * 1024;

  private static final System.Logger LOG = System.getLogger(Carrier.class.getName());

  private final ReentrantLock writing = new ReentrantLock();
  private final ReentrantLock lock = new ReentrantLock();

  /** Signals a new connection or the end of the session. */
  private final Condition changed = lock.newCondition();

  private final CarriedBytes bytes;

  /** Null while there is no connection. */
  private Transport current;

  /** The current connection, or the one before while there is none; for names and figures. */
  private volatile Transport latest;

  /** Bytes sent on the connections before {@code latest}. */
  private long formerBytesSent;

  private long formerBytesReceived;

  /** Makes the next connection; null until resumable. */
  private Resumer resumer;

  private IOException over;

  /** The connection that waits for its welcome; null when none does. */
  private Transport greeted;

  /** A better connection is being greeted while the current one works. */
  private boolean moving;

  private int resumed;
  private volatile long upSinceNanos = System.nanoTime();

  /** How many units have been written. */
  private long units;

  /** Up to which of them something may have been given to a connection. */
  private long handedOver;

  /**
   * @param wantsToResume whether the gateway is to be asked to let the session outlive {@code
   *     first}
   */
  Carrier(Transport first, boolean wantsToResume) {
    this.current = first;
    this.latest = first;
    this.bytes = new CarriedBytes(wantsToResume);
  }

  /** Whether the gateway has taken the hello with the handshake of the connection. */
  boolean isGreeted() {
    return latest.helloNanos().isPresent();
  }

  /** The gateway has that frame with the handshake of the connection. */
  void sent(Frame first) {
    FrameOutput frame = new FrameOutput(256);
    frame.append(first);
    lock.lock();
    try {
      bytes.onSent(frame.array(), 0, frame.size());
    } finally {
      lock.unlock();
    }
  }

  /** The gateway does not let the session be resumed. */
  void notResumable() {
    lock.lock();
    try {
      bytes.stopKeeping();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Makes the session outlive its transport connection from now on.
   *
   * @param next makes the next connection
   */
  void resumable(Resumer next) {
    lock.lock();
    try {
      resumer = next;
    } finally {
      lock.unlock();
    }
  }

  /** See {@link Transport#read}; waits while there is no connection. */
  int read(byte[] buffer, int offset, int length) throws IOException {
    while (true) {
      Transport from;
      lock.lock();
      try {
        while (current == null && over == null) {
          changed.awaitUninterruptibly();
        }
        if (over != null) {
          throw again(over);
        }
        if (bytes.hasEarly()) {
          return bytes.takeEarly(buffer, offset, length);
        }
        from = current;
      } finally {
        lock.unlock();
      }
      try {
        int count = from.read(buffer, offset, length);
        if (count < 0) {
          throw new EOFException("the gateway closed the link");
        }
        int taken = take(from, buffer, offset, count);
        if (taken > 0) {
          return taken;
        }
      } catch (IOException failed) {
        if (!lost(from, failed)) {
          throw failed;
        }
      }
    }
  }

  /**
   * Bytes of a connection that was given up meanwhile come again on the next one; what had come on
   * the one before already is left out.
   */
  private int take(Transport from, byte[] buffer, int offset, int count) {
    lock.lock();
    try {
      if (from != current && over == null && resumer != null) {
        return 0;
      }
      return bytes.onReceived(buffer, offset, count);
    } finally {
      lock.unlock();
    }
  }

  /**
   * See {@link Transport#write}; this is one unit. While there is no connection the bytes are only
   * kept.
   */
  void write(byte[] buffer, int offset, int length) throws IOException {
    writing.lock();
    try {
      Transport to;
      lock.lock();
      try {
        if (over != null) {
          throw again(over);
        }
        bytes.onSent(buffer, offset, length);
        to = current;
        units++;
        handedOver = to == null ? handedOver : units;
      } finally {
        lock.unlock();
      }
      if (to != null) {
        try {
          to.write(buffer, offset, length);
        } catch (IOException failed) {
          if (!lost(to, failed)) {
            throw failed;
          }
        }
      }
    } finally {
      writing.unlock();
    }
  }

  /** Whether a unit has been given to a connection, or has begun to be. */
  boolean isHandedOver(long unit) {
    lock.lock();
    try {
      return unit <= handedOver;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Whether it is over and nothing of a unit was given to a connection, so that certainly nothing
   * of it has reached the gateway.
   *
   * @param unit the first one written is number 1
   */
  boolean wasNeverHandedOver(long unit) {
    lock.lock();
    try {
      return over != null && unit > handedOver;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Whether the limit of unconfirmed bytes is reached: senders of payload wait for the gateway.
   * Confirmations are still sent, because otherwise both sides could wait for the other's.
   */
  boolean isFull() {
    lock.lock();
    try {
      return bytes.isFull();
    } finally {
      lock.unlock();
    }
  }

  private static IOException again(IOException cause) {
    return LinkLostException.again(cause);
  }

  /** The gateway has everything before {@code position}. */
  void confirmed(long position) throws ProtocolViolationException {
    lock.lock();
    try {
      bytes.confirm(position);
    } finally {
      lock.unlock();
    }
  }

  /**
   * How much has been received, if the gateway has to be told that.
   *
   * @param unacknowledged how many bytes need not be acknowledged
   * @return the position, or −1
   */
  long acknowledgement(int unacknowledged) {
    lock.lock();
    try {
      return resumer == null || moving ? -1 : bytes.acknowledgement(unacknowledged);
    } finally {
      lock.unlock();
    }
  }

  /** Whether there is a connection. */
  boolean isUp() {
    lock.lock();
    try {
      return current != null;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until there is a connection, or it is over, as long as the clock allows.
   *
   * @return whether either is the case
   */
  boolean awaitUp(CallClock clock) {
    boolean interrupted = false;
    lock.lock();
    try {
      while (current == null && over == null) {
        long left = clock.leftNanos();
        if (left <= 0) {
          return false;
        }
        try {
          changed.awaitNanos(left);
        } catch (InterruptedException likeASocket) {
          interrupted = true;
        }
      }
      return true;
    } finally {
      lock.unlock();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** When the connection was made, on the clock of {@link System#nanoTime}. */
  long upSinceNanos() {
    return upSinceNanos;
  }

  /** How often the session was resumed. */
  int resumed() {
    lock.lock();
    try {
      return resumed;
    } finally {
      lock.unlock();
    }
  }

  /**
   * The connection works no more; a reader, a writer or the heartbeat has noticed.
   *
   * @return whether the session goes on all the same
   */
  boolean lost(IOException cause) {
    Transport gone;
    lock.lock();
    try {
      gone = current;
      if (gone == null) {
        return over == null;
      }
    } finally {
      lock.unlock();
    }
    return lost(gone, cause);
  }

  private boolean lost(Transport gone, IOException cause) {
    lock.lock();
    try {
      if (over != null || resumer == null || cause instanceof ProtocolViolationException) {
        return false;
      }
      if (gone != current) {
        return true; // as has been noticed before
      }
      current = null;
      bytes.onLost();
      if (hasProgressed()) {
        resumer.startAnew();
      }
      if (moving) {
        return true; // the gateway has closed it as we wanted; else moveTo resumes
      }
    } finally {
      lock.unlock();
    }
    LOG.log(System.Logger.Level.INFO, () -> "link lost, resuming: " + gone + ": " + cause);
    gone.close();
    if (isCut(cause)) {
      resumer.onCut();
    }
    if (gone.isUnproven()) {
      resumer.onSilent(gone);
    }
    resumer.start(cause);
    return true;
  }

  /** Whether the latest connection is the first, or has brought or confirmed bytes. */
  private boolean hasProgressed() {
    return resumed == 0 || bytes.hasProgressed();
  }

  /** Whether the connection itself has ended, and not we have ended it. */
  private static boolean isCut(IOException cause) {
    return !(cause instanceof LinkLostException)
        && (cause instanceof EOFException || cause instanceof SocketException);
  }

  /** Whether the session has ended. */
  boolean isOver() {
    lock.lock();
    try {
      return over != null;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until it is over, so long at the most. Not interruptible. */
  void awaitOver(long nanos) {
    long deadline = System.nanoTime() + nanos;
    boolean interrupted = false;
    lock.lock();
    try {
      for (long left = nanos; over == null && left > 0; left = deadline - System.nanoTime()) {
        try {
          changed.awaitNanos(left);
        } catch (InterruptedException later) {
          interrupted = true; // or attempts to resume would follow each other without a pause
        }
      }
    } finally {
      lock.unlock();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Goes on over a better connection, on which nothing has been said: the session is taken up there
   * as after a loss, while the one before goes on until the gateway has agreed, and after it if the
   * gateway does not.
   *
   * @return false: that connection is not used, and closed
   */
  boolean moveTo(Transport better) {
    return moveTo(better, null);
  }

  /**
   * Goes on over another connection, see {@link #moveTo(Transport)}.
   *
   * @param timeout for the gateway's answer; null for as long as a connection may take
   */
  boolean moveTo(Transport better, Duration timeout) {
    Transport before;
    lock.lock();
    try {
      before = current;
      if (over != null || resumer == null || before == null || moving) {
        better.close();
        return false;
      }
      moving = true;
      if (hasProgressed()) {
        resumer.startAnew(); // the better connection may be lost before it brings a byte
      }
    } finally {
      lock.unlock();
    }
    boolean moved = false;
    boolean lost = false;
    IOException failure = null;
    try {
      resumer.moveTo(better, timeout);
      moved = true;
    } catch (IOException | RuntimeException | Error refused) {
      LOG.log(System.Logger.Level.DEBUG, () -> "link not moved: " + refused);
      failure = new LinkLostException("lost while it was moved: " + refused.getMessage(), refused);
    } finally {
      lock.lock();
      try {
        moving = false;
        lost = current == null && over == null;
      } finally {
        lock.unlock();
      }
      if (moved) {
        before.abandon();
      } else if (lost) {
        before.close();
      }
    }
    if (lost) {
      if (!moved && before.isUnproven()) {
        resumer.onSilent(before);
      }
      resumer.resume(failure); // no other thread does
    }
    return moved;
  }

  /** Whether a byte has come, over any connection. */
  boolean hasHeard() {
    return received() > 0;
  }

  /** The connection there is; empty while there is none. */
  Optional<Transport> connection() {
    lock.lock();
    try {
      return Optional.ofNullable(current);
    } finally {
      lock.unlock();
    }
  }

  /** The session is taken up on that connection; {@link #close} closes it too from now on. */
  void beginGreeting(Transport next) throws IOException {
    lock.lock();
    try {
      if (over != null) {
        throw again(over);
      }
      greeted = next;
    } finally {
      lock.unlock();
    }
  }

  /** The number of bytes sent over all connections; 0 when sent bytes are not kept. */
  long position() {
    lock.lock();
    try {
      return bytes.sent();
    } finally {
      lock.unlock();
    }
  }

  /** The number of sent bytes that the gateway has not confirmed. */
  long unconfirmed() {
    lock.lock();
    try {
      return bytes.unconfirmed();
    } finally {
      lock.unlock();
    }
  }

  /** The number of bytes received over all connections. */
  long received() {
    lock.lock();
    try {
      return bytes.received();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Goes on over that connection.
   *
   * @param answer to our hello there
   * @param told the position that the hello gave
   */
  void adopt(Transport next, HelloAnswer answer, long told) throws IOException {
    if (!writing.tryLock()) {
      connection().ifPresent(Transport::abandon); // a thread writes there, perhaps for ever
      writing.lock();
    }
    try {
      long position = answer.welcome().received();
      lock.lock();
      try {
        bytes.agree(position, told);
        handedOver = units; // or will be, before the next look
      } finally {
        lock.unlock();
      }
      byte[] again = new byte[REPLAY_BYTES];
      for (int count = copy(position, again); count > 0; count = copy(position, again)) {
        position += count;
        next.write(again, 0, count);
      }
      lock.lock();
      try {
        if (over != null) {
          throw again(over);
        }
        formerBytesSent += latest.bytesSent();
        formerBytesReceived += latest.bytesReceived();
        latest = next;
        current = next;
        greeted = null;
        bytes.onAdopted(told, answer.rest());
        upSinceNanos = System.nanoTime();
        resumed++;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    } finally {
      writing.unlock();
    }
    LOG.log(System.Logger.Level.INFO, () -> "link resumed: " + next);
  }

  private int copy(long position, byte[] to) {
    lock.lock();
    try {
      return over != null ? 0 : bytes.copy(position, to);
    } finally {
      lock.unlock();
    }
  }

  /** Bytes sent on all connections together. */
  long bytesSent() {
    lock.lock();
    try {
      return formerBytesSent + latest.bytesSent();
    } finally {
      lock.unlock();
    }
  }

  /** Bytes received on all connections together. */
  long bytesReceived() {
    lock.lock();
    try {
      return formerBytesReceived + latest.bytesReceived();
    } finally {
      lock.unlock();
    }
  }

  /** Ends the session and wakes all threads that wait. Idempotent. */
  void close(IOException cause) {
    Transport waiting;
    lock.lock();
    try {
      if (over == null) {
        over = cause;
      }
      waiting = greeted;
      bytes.clear();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    if (waiting != null) {
      waiting.close();
    }
    latest.close();
  }

  @Override
  public String toString() {
    return latest.toString();
  }
}

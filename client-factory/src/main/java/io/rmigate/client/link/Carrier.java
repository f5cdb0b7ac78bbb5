package io.rmigate.client.link;

import io.rmigate.client.transport.Transport;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.tunnel.FrameOutput;
import io.rmigate.protocol.tunnel.FrameReader;
import io.rmigate.protocol.tunnel.Goodbye;
import io.rmigate.protocol.tunnel.Hello;
import io.rmigate.protocol.tunnel.Tunnel;
import io.rmigate.protocol.tunnel.Unconfirmed;
import io.rmigate.protocol.tunnel.Welcome;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongFunction;

/**
 * Carries the bytes of one session, over one transport connection after another. When one is lost,
 * readers wait, what is written is kept, and a thread of our own makes the next one, on which both
 * sides go on where the other has stopped hearing (PROTOCOL.md, section 6, "Resume"). Until {@link
 * #resumable} is called, and after {@link #close}, a lost connection is the end.
 *
 * <p>Threads: one reads and one writes at a time; all else from any.
 *
 * <p>Locks: {@code writing}, then {@code lock}. {@code writing} is held while the transport is
 * written to, so that what is sent again goes before what is new. {@code lock} guards the state and
 * is never held during I/O.
 */
final class Carrier {
  private static final int REPLAY_BYTES = 64 * 1024;

  /** How long it may take to send again what the gateway has not received. */
  private static final Duration REPLAY_TIME = Duration.ofMinutes(1);

  private static final Duration FIRST_BACKOFF = Duration.ofMillis(50);
  private static final Duration LONGEST_BACKOFF = Duration.ofSeconds(5);
  private static final byte[] NOTHING = new byte[0];

  private static final System.Logger LOG = System.getLogger(Carrier.class.getName());

  private final Resumption resumption;
  private final ReentrantLock writing = new ReentrantLock();
  private final ReentrantLock lock = new ReentrantLock();

  /** A connection has come, or it is over. */
  private final Condition changed = lock.newCondition();

  private final Unconfirmed unconfirmed = new Unconfirmed();

  /** Null while there is no connection. */
  private Transport current;

  /** For names and figures; the one before while there is none. */
  private volatile Transport latest;

  /** Came in one piece with the welcome of a resumed session. Read before anything else. */
  private byte[] early = NOTHING;

  /** Of connections before {@code latest}. */
  private long formerBytesSent;

  private long formerBytesReceived;

  private long received;
  private long acknowledged;

  /** Whether what is sent has to be kept. */
  private boolean keeping;

  /** Makes the hello of the next connection, given what has been received; null until resumable. */
  private LongFunction<Hello> greeting;

  private Duration grace = Duration.ZERO;
  private ScheduledExecutorService timer;
  private IOException over;

  /** When the connection was lost that the present attempts are about. */
  private long lostSinceNanos;

  /** Before the next attempt. Goes on growing while connections are lost without any progress. */
  private Duration backoff = Duration.ZERO;

  /** What had been received when the current connection was made. */
  private long receivedBefore;

  /** What had been confirmed by then. */
  private long confirmedBefore;

  /** The connection that waits for its welcome; null when none does. */
  private Transport greeted;

  private int resumed;
  private volatile long upSinceNanos = System.nanoTime();

  /** Told when the session is over since no connection could be had; set with {@code greeting}. */
  private OnGivenUp onGivenUp = cause -> {};

  /** Hears that a session could not be resumed. */
  @FunctionalInterface
  interface OnGivenUp {
    void givenUp(IOException cause);
  }

  /** A gateway that does not know the session any more, or does not want it. */
  private static final class NotResumedException extends IOException {
    private static final long serialVersionUID = 1L;

    NotResumedException(String message) {
      super(message);
    }
  }

  Carrier(Transport first, Resumption resumption) {
    this.current = first;
    this.latest = first;
    this.resumption = resumption;
    this.keeping = resumption.isWanted();
  }

  /** Whether the gateway is to be asked to let the session be resumed. */
  boolean wantsToResume() {
    return resumption.isWanted();
  }

  /** The gateway does not let the session be resumed. */
  void notResumable() {
    lock.lock();
    try {
      keeping = false;
      unconfirmed.clear();
    } finally {
      lock.unlock();
    }
  }

  /**
   * From here on the session outlives its transport connection.
   *
   * @param allowed by the gateway, after the loss of a connection
   * @param hello makes the first frame of the next connection
   */
  void resumable(
      Duration allowed,
      LongFunction<Hello> hello,
      ScheduledExecutorService watch,
      OnGivenUp whenGivenUp) {
    lock.lock();
    try {
      grace = allowed.compareTo(resumption.grace()) < 0 ? allowed : resumption.grace();
      timer = watch;
      onGivenUp = whenGivenUp;
      greeting = hello;
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
        if (early.length > 0) {
          return takeEarly(buffer, offset, length);
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
        if (isStillReadFrom(from, count)) {
          return count;
        }
      } catch (IOException failed) {
        if (!lost(from, failed)) {
          throw failed;
        }
      }
    }
  }

  private int takeEarly(byte[] buffer, int offset, int length) {
    int count = Math.min(length, early.length);
    System.arraycopy(early, 0, buffer, offset, count);
    early = count == early.length ? NOTHING : Arrays.copyOfRange(early, count, early.length);
    received += count;
    return count;
  }

  /** Bytes of a connection that was given up meanwhile come again on the next one. */
  private boolean isStillReadFrom(Transport from, int count) {
    lock.lock();
    try {
      if (from == current || over != null || greeting == null) {
        received += count;
        return true;
      }
      return false;
    } finally {
      lock.unlock();
    }
  }

  /** See {@link Transport#write}. While there is no connection the bytes are only kept. */
  void write(byte[] buffer, int offset, int length) throws IOException {
    writing.lock();
    try {
      Transport to;
      lock.lock();
      try {
        if (over != null) {
          throw again(over);
        }
        if (keeping) {
          unconfirmed.append(buffer, offset, length);
        }
        to = current;
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

  /**
   * Whether so much is unconfirmed that no more payload should be sent: its senders wait for the
   * gateway. Confirmations themselves are not held up, or both sides could wait for the other's.
   */
  boolean isFull() {
    lock.lock();
    try {
      return unconfirmed.size() >= Tunnel.MAX_UNCONFIRMED_BYTES;
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
      unconfirmed.confirm(position);
    } finally {
      lock.unlock();
    }
  }

  /**
   * How much has been received, if the gateway has to be told that.
   *
   * @param unacknowledged so many bytes need not be acknowledged
   * @return the position, or −1
   */
  long acknowledgement(int unacknowledged) {
    lock.lock();
    try {
      if (greeting == null || received - acknowledged <= unacknowledged) {
        return -1;
      }
      acknowledged = received;
      return received;
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
   * The connection does not work any more, as somebody has noticed.
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
      if (over != null || greeting == null || cause instanceof ProtocolViolationException) {
        return false;
      }
      if (gone != current) {
        return true; // as has been noticed before
      }
      current = null;
      early = NOTHING;
      boolean progress = received > receivedBefore || unconfirmed.begin() > confirmedBefore;
      if (resumed == 0 || progress) {
        lostSinceNanos = System.nanoTime();
        backoff = Duration.ZERO;
      }
    } finally {
      lock.unlock();
    }
    LOG.log(System.Logger.Level.INFO, () -> "link lost, resuming: " + gone + ": " + cause);
    gone.close();
    try {
      Thread thread = new Thread(null, () -> resume(cause), "rmigate-resume", 0, false);
      thread.setDaemon(true);
      thread.setContextClassLoader(null);
      thread.start();
    } catch (OutOfMemoryError noThread) {
      giveUp(new LinkLostException("there is no thread to resume the session", noThread));
    }
    return true;
  }

  /** Never leaves without a connection, or the session's end: others wait for one of them. */
  private void resume(IOException cause) {
    try {
      resumeWithinGrace(cause);
    } catch (RuntimeException | Error unexpected) {
      giveUp(new LinkLostException("the session cannot be resumed: " + unexpected, unexpected));
    }
  }

  private void resumeWithinGrace(IOException cause) {
    IOException latestFailure = cause;
    while (!isOver()) {
      pause(nextPause());
      long left = lostSinceNanos + grace.toNanos() - System.nanoTime();
      if (left <= 0) {
        giveUp(
            new LinkLostException(
                "the link to the rmigate gateway was lost and could not be made again within "
                    + grace.toSeconds()
                    + " s: "
                    + latestFailure.getMessage(),
                latestFailure));
        return;
      }
      try {
        resumeOnce(Duration.ofNanos(Math.min(left, resumption.connectTimeout().toNanos())));
        return;
      } catch (NotResumedException | ProtocolViolationException definitive) {
        giveUp(new LinkLostException(definitive.getMessage(), definitive));
        return;
      } catch (IOException | RejectedExecutionException notNow) {
        latestFailure = notNow instanceof IOException failed ? failed : cause;
        LOG.log(System.Logger.Level.DEBUG, () -> "link not resumed yet: " + notNow);
      }
    }
  }

  /** None before the first attempt. */
  private long nextPause() {
    lock.lock();
    try {
      long pause = backoff.toNanos();
      Duration doubled = backoff.isZero() ? FIRST_BACKOFF : backoff.multipliedBy(2);
      backoff = doubled.compareTo(LONGEST_BACKOFF) > 0 ? LONGEST_BACKOFF : doubled;
      return Math.min(pause, Math.max(0, lostSinceNanos + grace.toNanos() - System.nanoTime()));
    } finally {
      lock.unlock();
    }
  }

  private boolean isOver() {
    lock.lock();
    try {
      return over != null;
    } finally {
      lock.unlock();
    }
  }

  private void pause(long atMostNanos) {
    long left = (long) (atMostNanos * ThreadLocalRandom.current().nextDouble(0.5, 1.0));
    lock.lock();
    try {
      while (over == null && left > 0) {
        left = changed.awaitNanos(left);
      }
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  private void giveUp(IOException cause) {
    onGivenUp.givenUp(cause);
  }

  private void resumeOnce(Duration timeout) throws IOException {
    long start = System.nanoTime();
    Transport next = connect(timeout);
    boolean adopted = false;
    ScheduledFuture<?> tooLate = null;
    try {
      beginGreeting(next);
      long left = Math.max(1, timeout.toNanos() - (System.nanoTime() - start));
      tooLate = timer.schedule(next::close, left, TimeUnit.NANOSECONDS);
      FrameOutput hello = new FrameOutput(256);
      hello.append(greeting.apply(receivedSoFar()));
      next.write(hello.array(), 0, hello.size());
      Answer answer = new Answer().await(next);
      tooLate.cancel(false);
      tooLate = timer.schedule(next::close, REPLAY_TIME.toNanos(), TimeUnit.NANOSECONDS);
      adopt(next, answer);
      adopted = true;
    } finally {
      if (tooLate != null) {
        tooLate.cancel(false);
      }
      if (!adopted) {
        next.close();
      }
    }
  }

  private Transport connect(Duration timeout) throws IOException {
    try {
      return resumption.connector().connect(timeout);
    } catch (ProtocolViolationException onTheWay) { // nothing that the gateway itself has said
      throw new IOException(onTheWay.getMessage(), onTheWay);
    }
  }

  /** Whoever closes us from here on closes that connection, too. */
  private void beginGreeting(Transport next) throws IOException {
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

  private long receivedSoFar() {
    lock.lock();
    try {
      return received;
    } finally {
      lock.unlock();
    }
  }

  /** What comes in answer to a hello: one frame, and what stands behind it. */
  private static final class Answer {
    private Welcome welcome;
    private Goodbye goodbye;
    private byte[] rest = NOTHING;

    Answer await(Transport from) throws IOException {
      FrameReader reader =
          new FrameReader(
              frame -> {
                if (frame instanceof Welcome greeted) {
                  welcome = greeted;
                } else if (frame instanceof Goodbye refused) {
                  goodbye = refused;
                } else {
                  throw new ProtocolViolationException(
                      "expected WELCOME first, got " + frame.type());
                }
              });
      byte[] buffer = new byte[4 * 1024];
      while (welcome == null && goodbye == null) {
        int count = from.read(buffer, 0, buffer.length);
        if (count < 0) {
          throw new EOFException("the gateway closed the link");
        }
        int taken = 0;
        while (taken < count && welcome == null && goodbye == null) {
          reader.feed(buffer, taken++, 1); // what stands behind the frame is not ours
        }
        rest = Arrays.copyOfRange(buffer, taken, count);
      }
      if (goodbye != null) {
        throw new NotResumedException(
            "the rmigate gateway does not resume the session: "
                + goodbye.cause().sentence()
                + (goodbye.text().isEmpty() ? "" : " (" + goodbye.text() + ")"));
      }
      return this;
    }
  }

  private void adopt(Transport next, Answer answer) throws IOException {
    writing.lock();
    try {
      long position = answer.welcome.received();
      lock.lock();
      try {
        if (!unconfirmed.reachesBackTo(position)) {
          throw new ProtocolViolationException(
              "expected to go on from 0x%x to 0x%x, got 0x%x"
                  .formatted(unconfirmed.begin(), unconfirmed.end(), position));
        }
        unconfirmed.confirm(position);
        acknowledged = received;
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
        receivedBefore = received;
        confirmedBefore = unconfirmed.begin();
        early = answer.rest;
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
      return over != null ? 0 : unconfirmed.copy(position, to, to.length);
    } finally {
      lock.unlock();
    }
  }

  /** Of all connections together. */
  long bytesSent() {
    lock.lock();
    try {
      return formerBytesSent + latest.bytesSent();
    } finally {
      lock.unlock();
    }
  }

  /** Of all connections together. */
  long bytesReceived() {
    lock.lock();
    try {
      return formerBytesReceived + latest.bytesReceived();
    } finally {
      lock.unlock();
    }
  }

  /** Nothing is carried any more; wakes everybody who waits. Idempotent. */
  void close(IOException cause) {
    Transport waiting;
    lock.lock();
    try {
      if (over == null) {
        over = cause;
      }
      waiting = greeted;
      unconfirmed.clear();
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

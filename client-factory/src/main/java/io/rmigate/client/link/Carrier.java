package io.rmigate.client.link;

import io.rmigate.client.deadline.CallClock;
import io.rmigate.client.transport.Transport;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.tunnel.FrameOutput;
import io.rmigate.protocol.tunnel.Hello;
import io.rmigate.protocol.tunnel.Tunnel;
import io.rmigate.protocol.tunnel.Unconfirmed;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
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

  /** What comes next on the current connection has come on the one before. */
  private long repeated;

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

  /** A better connection is being greeted while the current one works. */
  private boolean moving;

  private int resumed;
  private volatile long upSinceNanos = System.nanoTime();

  /** How many units have been written. */
  private long units;

  /** Up to which of them something may have been given to a connection. */
  private long handedOver;

  /** Whether the session is not needed any more; set with {@code greeting}. */
  private BooleanSupplier elsewhere = () -> false;

  /** Told when a connection has ended without a word; set with {@code greeting}. */
  private Runnable onCut = () -> {};

  /** Told when the session is over since no connection could be had; set with {@code greeting}. */
  private OnGivenUp onGivenUp = cause -> {};

  /** Hears that a session could not be resumed. */
  @FunctionalInterface
  interface OnGivenUp {
    void givenUp(IOException cause);
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
   * @param isFoundElsewhere see {@link Elsewhere#isFound}
   * @param whenCut a connection has ended without a word
   */
  void resumable(
      Duration allowed,
      LongFunction<Hello> hello,
      ScheduledExecutorService watch,
      BooleanSupplier isFoundElsewhere,
      Runnable whenCut,
      OnGivenUp whenGivenUp) {
    lock.lock();
    try {
      elsewhere = isFoundElsewhere;
      grace = allowed.compareTo(resumption.grace()) < 0 ? allowed : resumption.grace();
      timer = watch;
      onCut = whenCut;
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

  private int takeEarly(byte[] buffer, int offset, int length) {
    int count = Math.min(length, early.length);
    System.arraycopy(early, 0, buffer, offset, count);
    early = count == early.length ? NOTHING : Arrays.copyOfRange(early, count, early.length);
    received += count;
    return count;
  }

  /**
   * Bytes of a connection that was given up meanwhile come again on the next one; what had come on
   * the one before already is left out.
   */
  private int take(Transport from, byte[] buffer, int offset, int count) {
    lock.lock();
    try {
      if (from != current && over == null && greeting != null) {
        return 0;
      }
      int known = (int) Math.min(repeated, count);
      repeated -= known;
      System.arraycopy(buffer, offset + known, buffer, offset, count - known);
      received += count - known;
      return count - known;
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
        if (keeping) {
          unconfirmed.append(buffer, offset, length);
        }
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
      if (greeting == null || moving || received - acknowledged <= unacknowledged) {
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
      repeated = 0;
      boolean progress = received > receivedBefore || unconfirmed.begin() > confirmedBefore;
      if (resumed == 0 || progress) {
        lostSinceNanos = System.nanoTime();
        backoff = Duration.ZERO;
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
      onCut.run();
    }
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

  /** Whether the connection itself has ended, and not we have ended it. */
  private static boolean isCut(IOException cause) {
    return !(cause instanceof LinkLostException)
        && (cause instanceof EOFException || cause instanceof SocketException);
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
        if (mayGoElsewhere(notNow) && elsewhere.getAsBoolean()) {
          giveUp(
              new LinkLostException(
                  "the rmigate gateway cannot be reached any more, another one is used: "
                      + latestFailure.getMessage(),
                  latestFailure));
          return;
        }
      }
    }
  }

  /**
   * Where nobody listens there is no session any more. A gateway that does not answer, or cannot be
   * reached by what stands before it, may still have it: it is given the time of an attempt.
   */
  private boolean mayGoElsewhere(Exception failure) {
    boolean refused =
        failure instanceof ConnectException
            && !(failure.getCause() instanceof InterruptedIOException);
    return refused || System.nanoTime() - lostSinceNanos >= resumption.connectTimeout().toNanos();
  }

  /** None before the first attempt. */
  private long nextPause() {
    lock.lock();
    try {
      long pause = backoff.toNanos();
      Duration doubled = backoff.isZero() ? FIRST_BACKOFF : backoff.multipliedBy(2);
      Duration longest = grace.dividedBy(4); // several attempts, however short the grace is
      longest = longest.compareTo(LONGEST_BACKOFF) > 0 ? LONGEST_BACKOFF : longest;
      backoff = doubled.compareTo(longest) > 0 ? longest : doubled;
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
    greet(next, Duration.ofNanos(Math.max(1, timeout.toNanos() - (System.nanoTime() - start))));
  }

  /**
   * Goes on over a better connection, on which nothing has been said: the session is taken up there
   * as after a loss, while the one before goes on until the gateway has agreed, and after it if the
   * gateway does not.
   *
   * @return false: that connection is not used, and closed
   */
  boolean moveTo(Transport better) {
    Transport before;
    lock.lock();
    try {
      before = current;
      if (over != null || greeting == null || before == null || moving) {
        better.close();
        return false;
      }
      moving = true;
    } finally {
      lock.unlock();
    }
    boolean moved = false;
    boolean lost = false;
    IOException failure = null;
    try {
      greet(better, resumption.connectTimeout());
      moved = true;
    } catch (IOException | RejectedExecutionException refused) {
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
      if (moved || lost) {
        before.close();
      }
    }
    if (lost) {
      resume(failure); // nobody else does
    }
    return moved;
  }

  /** Whether anything has come, over whichever connection. */
  boolean hasHeard() {
    return receivedSoFar() > 0;
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

  /** Takes the session up on that connection, or closes it. */
  private void greet(Transport next, Duration timeout) throws IOException {
    boolean answered = false;
    boolean adopted = false;
    ScheduledFuture<?> tooLate = null;
    try {
      beginGreeting(next);
      tooLate = timer.schedule(next::close, timeout.toNanos(), TimeUnit.NANOSECONDS);
      FrameOutput hello = new FrameOutput(256);
      long told = receivedSoFar();
      hello.append(greeting.apply(told));
      next.write(hello.array(), 0, hello.size());
      HelloAnswer answer = HelloAnswer.await(next);
      answered = true;
      tooLate.cancel(false);
      tooLate = timer.schedule(next::close, REPLAY_TIME.toNanos(), TimeUnit.NANOSECONDS);
      adopt(next, answer, told);
      adopted = true;
    } catch (NotResumedException | ProtocolViolationException definitive) {
      answered = true;
      throw definitive;
    } finally {
      if (tooLate != null) {
        tooLate.cancel(false);
      }
      if (!adopted) {
        next.close();
      }
      if (!answered && !isOver()) {
        resumption.connector().wasSilent(next);
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

  private void adopt(Transport next, HelloAnswer answer, long told) throws IOException {
    writing.lock();
    try {
      long position = answer.welcome().received();
      lock.lock();
      try {
        if (!unconfirmed.reachesBackTo(position)) {
          throw new ProtocolViolationException(
              "expected to go on from 0x%x to 0x%x, got 0x%x"
                  .formatted(unconfirmed.begin(), unconfirmed.end(), position));
        }
        unconfirmed.confirm(position);
        acknowledged = told;
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
        receivedBefore = received;
        confirmedBefore = unconfirmed.begin();
        repeated = received - told;
        int known = (int) Math.min(repeated, answer.rest().length);
        repeated -= known;
        early = Arrays.copyOfRange(answer.rest(), known, answer.rest().length);
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

package io.rmigate.client.link;

import io.rmigate.client.jvm.Daemons;
import io.rmigate.client.jvm.NoThreadException;
import io.rmigate.protocol.coding.CodedReader;
import io.rmigate.protocol.coding.CodingFigures;
import io.rmigate.protocol.coding.ContentCoding;
import io.rmigate.protocol.tunnel.FrameSink;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The receiving side of a link, by leader and followers. Of all threads that wait for a frame, one
 * reads the transport and hands out the frames. Once its own wait is over, it makes another waiting
 * thread the reader. So a lone caller reads its own answer, with no other thread in between.
 *
 * <p>When no thread has waited for a while, the link's own daemon reads (heartbeats, closes,
 * goodbyes). It steps back as soon as it has delivered a frame to a waiting thread. Virtual
 * threads, and threads with a timeout, which a blocking read could not keep, are always followers:
 * while one of them waits, the daemon reads if no leader does. The daemon also reads when servers
 * may call, or while answers are awaited without a thread: then the leader hands over before it
 * works on its answer, because that may last.
 *
 * <p>Lock: {@code turn} guards who reads and who waits; the transport is read outside it.
 */
final class LinkInbound {
  /** The daemon takes over when no thread has read for this time. */
  private static final long DAEMON_PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private static final int READ_BYTES = 32 * 1024;

  private final long patienceNanos;
  private final Carrier transport;
  private final CodedReader reader;
  private final Runnable afterPiece;
  private final Consumer<IOException> onFailure;
  private final Thread daemon;

  private final ReentrantLock turn = new ReentrantLock();
  private final Deque<Waiter> followers = new ArrayDeque<>();
  private boolean leading;

  /** Whether the reader waits for something itself, and is not the daemon. */
  private boolean leadingForItself;

  private boolean daemonWanted;

  /** Waits of threads that could have read themselves but had another one read for them. */
  private long servedAsFollowers;

  /** When the transport was last read successfully. Written by the reader only. */
  private volatile long lastReadNanos = System.nanoTime();

  private volatile boolean stopped;

  /** Whether servers may call, so that a thread must always read. */
  private volatile boolean awaitingVisitors;

  /** Waits without a thread ({@link #beginWatch}). Guarded by {@code turn}. */
  private int watches;

  /** Told of waits; null until heartbeats begin. */
  private volatile LinkHeartbeat heartbeat;

  /** Receives the rate of the link; null while the rate is not needed. Confined to the reader. */
  private RateSink rates;

  /** Confined to the reader; handed over through {@code turn}. */
  private final byte[] buffer = new byte[READ_BYTES];

  /**
   * Whether nothing but reading has been done since the last read. A thread that has had its answer
   * goes away with it, and what it does then is no measure of the link. Confined to the reader.
   */
  private boolean readingOn;

  /**
   * Told of reads in the middle of a frame, whose rest was on its way, by a reader that had just
   * read and waited for nothing else.
   */
  @FunctionalInterface
  interface RateSink {
    void onRead(int bytes, long nanosSinceLastRead);
  }

  LinkInbound(
      Carrier transport,
      FrameSink sink,
      Runnable afterPiece,
      Consumer<IOException> onFailure,
      String threadName) {
    this(transport, sink, afterPiece, onFailure, threadName, DAEMON_PATIENCE_NANOS);
  }

  /** The inbound half of a link, with another patience of the daemon. */
  LinkInbound(
      Carrier transport,
      FrameSink sink,
      Runnable afterPiece,
      Consumer<IOException> onFailure,
      String threadName,
      long patienceNanos) {
    this.patienceNanos = patienceNanos;
    this.transport = transport;
    this.reader = new CodedReader(sink);
    this.afterPiece = afterPiece;
    this.onFailure = onFailure;
    this.daemon =
        Daemons.unstarted(
            threadName,
            new Runnable() {
              @Override
              public void run() {
                readWhileNobodyDoes();
              }
            });
  }

  /**
   * Starts the daemon, which reads when no other thread does.
   *
   * @throws NoThreadException the daemon cannot be started
   */
  void start() throws NoThreadException {
    Daemons.start(daemon);
  }

  /** Decodes coded frames from now on. Called by the reader. */
  void decodeWith(ContentCoding coding) {
    reader.begin(coding);
  }

  /** Sets the sink that hears how fast bytes come. Called by the reader. */
  void rateWith(RateSink sink) {
    rates = sink;
  }

  /** Figures of the frames that were received coded. */
  CodingFigures figures() {
    return reader.figures();
  }

  /** Wakes all waiting threads; their waiters must already be satisfied. */
  void stop() {
    stopped = true;
    reader.close();
    LockSupport.unpark(daemon);
  }

  /** Keeps a thread reading from now on, because servers may call. */
  void awaitVisitors() {
    awaitingVisitors = true;
    turn.lock();
    try {
      if (!leading) {
        callDaemon();
      }
    } finally {
      turn.unlock();
    }
  }

  /**
   * An answer is awaited for which no thread waits: until {@link #endWatch} a thread always reads.
   */
  void beginWatch() {
    turn.lock();
    try {
      watches++;
      if (!leading) {
        callDaemon();
      }
    } finally {
      turn.unlock();
    }
    tellOfWait();
  }

  /** The answer has come, or will not. */
  void endWatch() {
    turn.lock();
    try {
      watches--;
    } finally {
      turn.unlock();
    }
  }

  long lastReadNanos() {
    return lastReadNanos;
  }

  /** Sets the watch that is told when a thread waits. */
  void watchWith(LinkHeartbeat watch) {
    heartbeat = watch;
  }

  /** Whether a thread waits for the gateway, or an answer for which none waits. */
  boolean isAwaited() {
    turn.lock();
    try {
      return leadingForItself || watches > 0 || !followers.isEmpty();
    } finally {
      turn.unlock();
    }
  }

  /**
   * Waits, reading the link if no other thread does, until {@code waiter} is satisfied, the link is
   * stopped or the time is over. Not interruptible; the interrupt status is kept.
   *
   * @param timeoutNanos 0 for no timeout
   */
  void await(Waiter waiter, long timeoutNanos) {
    boolean leads = takeTurn(waiter, timeoutNanos == 0 && CallerThread.mayDoIo());
    tellOfWait();
    if (leads) {
      lead(waiter);
    } else {
      park(waiter, timeoutNanos);
    }
  }

  /**
   * Waits until {@code waiter} is satisfied, but has others read: for waits that may last for ever.
   */
  void follow(Waiter waiter, long timeoutNanos) {
    takeTurn(waiter, false);
    tellOfWait();
    park(waiter, timeoutNanos);
  }

  /** Behind {@link #takeTurn}, so that a watch that has not seen this wait hears of it here. */
  private void tellOfWait() {
    LinkHeartbeat watch = heartbeat;
    if (watch != null) {
      watch.onWaiting();
    }
  }

  /** Whether we read now; otherwise the waiter is among the followers. */
  private boolean takeTurn(Waiter waiter, boolean mayLead) {
    turn.lock();
    try {
      if (!leading && mayLead) {
        leading = true;
        leadingForItself = true;
        return true;
      }
      waiter.begin(mayLead);
      followers.add(waiter);
      if (!leading) {
        callDaemon();
      }
      return false;
    } finally {
      turn.unlock();
    }
  }

  /** Takes the waiter from the followers; true when it had been made the reader meanwhile. */
  private boolean leaveFollowers(Waiter waiter) {
    turn.lock();
    try {
      if (waiter.end()) {
        return true;
      }
      followers.remove(waiter);
      if (waiter.mayLead) {
        servedAsFollowers++;
      }
      return false;
    } finally {
      turn.unlock();
    }
  }

  private void park(Waiter waiter, long timeoutNanos) {
    long deadline = System.nanoTime() + timeoutNanos;
    boolean interrupted = false;
    while (!waiter.isOver() && !stopped) {
      long left = timeoutNanos == 0 ? Long.MAX_VALUE : deadline - System.nanoTime();
      if (left <= 0) {
        break;
      }
      if (waiter.mayPark()) { // no lock may be taken between this look and the parking
        LockSupport.parkNanos(this, left);
      }
      interrupted |= Thread.interrupted();
    }
    if (leaveFollowers(waiter)) {
      lead(waiter); // returns at once, and promotes another one, when already satisfied
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void lead(Waiter waiter) {
    readingOn = false;
    try {
      while (!waiter.satisfied() && !stopped) {
        readOnce();
      }
    } finally {
      resign();
    }
  }

  private void readOnce() {
    try {
      boolean measures = readingOn && !reader.atFrameBoundary();
      int count = transport.read(buffer, 0, buffer.length);
      long now = System.nanoTime();
      if (rates != null && measures) {
        rates.onRead(count, now - lastReadNanos);
      }
      lastReadNanos = now;
      readingOn = true;
      reader.feed(buffer, 0, count);
      afterPiece.run();
    } catch (IOException failed) {
      onFailure.accept(failed);
    } catch (RuntimeException | Error ourOwn) { // the callers that wait must hear of it
      onFailure.accept(new IOException("the link cannot be read: " + ourOwn, ourOwn));
    }
  }

  /** Ends our reading and makes the first follower that still waits and may read the reader. */
  private void resign() {
    turn.lock();
    try {
      leading = false;
      leadingForItself = false;
      boolean othersWait = false;
      for (var candidates = followers.iterator(); candidates.hasNext(); ) {
        Waiter candidate = candidates.next();
        if (candidate.satisfied()) {
          continue; // already woken, on its way out
        }
        othersWait = true;
        if (candidate.mayLead) {
          candidates.remove();
          leading = true;
          leadingForItself = true;
          candidate.promote();
          return;
        }
      }
      if (othersWait || awaitingVisitors || watches > 0) {
        callDaemon();
      }
    } finally {
      turn.unlock();
    }
  }

  private void callDaemon() {
    daemonWanted = true;
    LockSupport.unpark(daemon);
  }

  private void readWhileNobodyDoes() {
    while (!stopped) {
      if (daemonTakesTurn()) {
        long servedBefore = servedAsFollowers();
        readingOn = false;
        do {
          readOnce();
        } while (!stopped && daemonGoesOn(servedBefore));
        resign();
      }
      LockSupport.parkNanos(this, patienceNanos);
    }
  }

  private boolean daemonTakesTurn() {
    turn.lock();
    try {
      boolean idle = System.nanoTime() - lastReadNanos > patienceNanos;
      boolean mine = !leading && (daemonWanted || idle);
      leading |= mine;
      return mine;
    } finally {
      turn.unlock();
    }
  }

  private long servedAsFollowers() {
    turn.lock();
    try {
      return servedAsFollowers;
    } finally {
      turn.unlock();
    }
  }

  /**
   * The daemon steps back once a thread that could read for itself waits or has just been served:
   * its next answer should not take the detour. For threads that cannot read it stays.
   */
  private boolean daemonGoesOn(long servedBefore) {
    turn.lock();
    try {
      daemonWanted = false;
      if (servedAsFollowers != servedBefore) {
        return false;
      }
      for (Waiter follower : followers) {
        if (follower.mayLead) {
          return false;
        }
      }
      return true;
    } finally {
      turn.unlock();
    }
  }
}

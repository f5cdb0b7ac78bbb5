package io.rmigate.client.link;

import io.rmigate.client.deadline.CallClock;
import io.rmigate.client.jvm.Daemons;
import io.rmigate.client.jvm.NoThreadException;
import io.rmigate.protocol.coding.CodedWriter;
import io.rmigate.protocol.tunnel.Credit;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.FrameOutput;
import java.io.IOException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The sending side of a link. A thread that has a frame writes it to the transport itself, and with
 * it, as one unit, the frames that others add meanwhile. No other thread is woken for that.
 *
 * <p>Lock: {@code lock} guards everything. The transport is written outside it, by the one thread
 * that has set {@code busy}, which also codes the bytes. Frames leave in the order in which they
 * were added.
 */
final class LinkOutbound {
  /** A caller that finds more bytes waiting than this lets them leave before it adds more. */
  private static final int HIGH_WATER_BYTES = 64 * 1024;

  /** A heartbeat that measures goes out with a request, not with bulk. */
  private static final int MAX_PROBED_BYTES = 1024;

  /** The first holds what the caller added; the second what came while it was written. */
  private static final int OWN_ROUNDS = 2;

  private final Carrier transport;
  private final Consumer<IOException> onFailure;
  private final String threadName;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition progress = lock.newCondition();

  /** The deputy's own, so that no write of others wakes it. */
  private final Condition deputyWanted = lock.newCondition();

  private final OutboundBuffer buffer;
  private boolean busy;
  private IOException failure;

  private long lastWriteNanos = System.nanoTime();

  /** Null while nothing is coded. */
  private CodedWriter coder;

  /** Null unless round trips are to be measured now and then. */
  private Probes probes;

  /** Told when something is sent; null until heartbeats begin. */
  private LinkHeartbeat heartbeat;

  /** Writes for threads that must not; null until it runs, from the first of them on. */
  private Thread deputy;

  /** Heartbeats that ride along with requests. Asked under the lock. */
  interface Probes {
    boolean isDue(long nowNanos);

    Frame heartbeat();
  }

  /**
   * @param onFailure told once, on the thread that failed, outside the lock
   * @param threadName of the deputy
   */
  LinkOutbound(
      Carrier transport, Consumer<IOException> onFailure, String threadName, System.Logger frames) {
    this.transport = transport;
    this.onFailure = onFailure;
    this.threadName = threadName;
    this.buffer = new OutboundBuffer(frames);
  }

  /** Sends one frame. Blocks while the transport is behind; see {@link #sendLater}. */
  void send(Frame frame) throws IOException {
    lock.lock();
    try {
      awaitRoom(null);
      buffer.append(frame);
      dispatch(CallerThread.mayDoIo());
    } finally {
      lock.unlock();
    }
  }

  /**
   * Sends one frame for a call with a deadline: waits no longer, and leaves the writing to others.
   *
   * @return false when there was no room in time, and nothing has been added
   */
  boolean send(Frame frame, CallClock clock) throws IOException {
    lock.lock();
    try {
      if (!awaitRoom(clock.isBounded() ? clock::leftNanos : null)) {
        return false;
      }
      buffer.append(frame);
      dispatch(!clock.isBounded() && CallerThread.mayDoIo());
      return true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Sends data of a stream, its opening before the first of it in the same unit. The stream is
   * asked under the lock, so that nothing of it can follow its close. What has a deadline the
   * calling thread does not write by itself, since a write may last.
   *
   * @param queued the request, if it has a deadline; null for others
   * @return false when there was no room in time, and nothing has been added
   */
  boolean sendData(
      LinkStream of, boolean last, byte[] bytes, int offset, int length, QueuedRequest queued)
      throws IOException {
    lock.lock();
    try {
      if (!awaitRoom(queued == null ? null : queued::leftNanos)) {
        return false;
      }
      int before = buffer.size();
      Frame first = of.admit(buffer.unit());
      if (first != null) {
        buffer.append(first);
        Frame sequence = of.sequence();
        if (sequence != null) {
          buffer.append(sequence);
        }
      }
      Frame bound = queued == null ? null : of.deadline();
      if (bound != null) {
        buffer.append(bound);
      }
      buffer.appendData(of.id(), last, bytes, offset, length);
      if (queued != null) {
        buffer.keepTakeable(queued, before, first != null);
      }
      dispatch(queued == null && CallerThread.mayDoIo());
      return true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes a request back of which nothing has been handed to the transport, and has its stream
   * closed.
   *
   * @return whether the gateway will never see any of it
   */
  boolean takeBack(LinkStream of, QueuedRequest queued) {
    lock.lock();
    try {
      if (queued.hasBegun() || !of.takeBack(queued.withOpen())) {
        return false;
      }
      buffer.takeBack(queued);
      return true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * The time when the first bytes of a request were handed to the transport, on the clock of {@link
   * System#nanoTime}; empty while none were.
   */
  OptionalLong begunNanos(QueuedRequest queued) {
    lock.lock();
    try {
      return queued.hasBegun() ? OptionalLong.of(queued.begunNanos()) : OptionalLong.empty();
    } finally {
      lock.unlock();
    }
  }

  /** See {@link QueuedRequest#leftNanos}. */
  long leftNanos(QueuedRequest queued) {
    lock.lock();
    try {
      return queued.leftNanos();
    } finally {
      lock.unlock();
    }
  }

  /** Queues credit for a stream unless its close has been sent; another thread writes it. */
  void enqueueCredit(LinkStream of, int bytes) {
    lock.lock();
    try {
      if (of.isOpenHere()) {
        queue(new Credit(of.id(), bytes), false);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Sends credit for a stream unless its close has been sent. */
  void sendCredit(LinkStream of, int bytes) throws IOException {
    lock.lock();
    try {
      awaitRoom(null);
      if (of.isOpenHere()) {
        buffer.append(new Credit(of.id(), bytes));
        dispatch(CallerThread.mayDoIo());
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Queues a frame that the gateway has caused and returns at once; another thread writes it. For
   * timers and closers. The link ends when too many of these wait.
   */
  void sendLater(Frame frame) {
    if (!queue(frame, true)) {
      failUnread();
    }
  }

  private void failUnread() {
    onFailure.accept(
        new LinkLostException("the rmigate gateway does not read the answers it asks for", null));
  }

  /** Queues our close of a stream, which is told of it before anything else can follow. */
  void sendClose(LinkStream of, Frame close) {
    boolean read;
    lock.lock();
    try {
      read = queue(close, true);
      of.onCloseQueued();
    } finally {
      lock.unlock();
    }
    if (!read) {
      failUnread();
    }
  }

  /**
   * Queues a frame that our own JVM has caused: as many wait as it has reason to send, which is
   * bounded by what it holds itself. Never fails.
   */
  void enqueue(Frame frame) {
    queue(frame, false);
  }

  private boolean queue(Frame frame, boolean asked) {
    lock.lock();
    try {
      if (failure == null) {
        if (asked && buffer.isFullOfAnswers()) {
          return false;
        }
        if (asked) {
          buffer.appendAnswer(frame);
        } else {
          buffer.append(frame);
        }
        if (!busy) {
          callDeputy();
        }
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Adds a frame that can wait for the next one to be sent. */
  void sendWithNext(Frame frame) {
    lock.lock();
    try {
      buffer.append(frame);
    } finally {
      lock.unlock();
    }
  }

  /** Sets the writer to which all frames are offered first, to be coded. */
  void codeWith(CodedWriter writer) {
    lock.lock();
    try {
      coder = writer;
    } finally {
      lock.unlock();
    }
  }

  /** Lets requests take heartbeats along from now on. */
  void probeWith(Probes along) {
    lock.lock();
    try {
      probes = along;
    } finally {
      lock.unlock();
    }
  }

  /** Sets the watch that is told when a frame is sent. */
  void watchWith(LinkHeartbeat watch) {
    lock.lock();
    try {
      heartbeat = watch;
    } finally {
      lock.unlock();
    }
  }

  /** Whether a thread sends, which may wait for the network. */
  boolean isSending() {
    lock.lock();
    try {
      return busy;
    } finally {
      lock.unlock();
    }
  }

  /** Gives back what coding holds, if it has not been used for a while. */
  void releaseIdleCoder(long nowNanos) {
    lock.lock();
    try {
      if (coder != null && !busy) {
        coder.releaseIfIdle(nowNanos);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Sends a last frame without waiting longer than {@code atMost} for it to leave. */
  void sendLast(Frame frame, Duration atMost) {
    sendLater(frame);
    lock.lock();
    try {
      long left = atMost.toNanos();
      while (failure == null && (busy || buffer.size() > 0) && left > 0) {
        left = progress.awaitNanos(left);
      }
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  /** When a byte was last handed to the transport, on the clock of {@link System#nanoTime}. */
  long lastWriteNanos() {
    lock.lock();
    try {
      return lastWriteNanos;
    } finally {
      lock.unlock();
    }
  }

  /** Ends all sending; waiting threads get {@code cause}. */
  void fail(IOException cause) {
    lock.lock();
    try {
      if (failure == null) {
        failure = cause;
      }
      if (!busy) {
        closeCoder(); // otherwise the thread that writes does
      }
      progress.signalAll();
      deputyWanted.signal();
    } finally {
      lock.unlock();
    }
  }

  private void closeCoder() {
    if (coder != null) {
      coder.close();
    }
  }

  /**
   * Whether there is room; not so when the time was over first. Not interruptible.
   *
   * @param leftNanos how long it may last from now on, asked under the lock; null for no bound
   */
  private boolean awaitRoom(LongSupplier leftNanos) throws IOException {
    boolean interrupted = false;
    boolean inTime = true;
    while (failure == null && inTime && (isBehind() || transport.isFull())) {
      if (leftNanos != null) {
        try {
          inTime = progress.awaitNanos(leftNanos.getAsLong()) > 0;
        } catch (InterruptedException likeASocket) {
          interrupted = true;
        }
      } else {
        progress.awaitUninterruptibly();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    throwIfFailed();
    return inTime;
  }

  private boolean isBehind() {
    return busy && buffer.size() > HIGH_WATER_BYTES;
  }

  /** The gateway has confirmed something. */
  void roomMayBeThere() {
    lock.lock();
    try {
      if (lock.hasWaiters(progress)) {
        progress.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  private void throwIfFailed() throws IOException {
    if (failure != null) {
      throw LinkLostException.again(failure);
    }
  }

  /**
   * Writes the added frames: by the thread that is writing, by this one, or by the deputy. Where no
   * deputy can be started this thread writes, because a caller waits for the answer.
   */
  private void dispatch(boolean mayWrite) throws IOException {
    if (!busy && (mayWrite || !callDeputy())) {
      write(OWN_ROUNDS);
      throwIfFailed();
    }
  }

  /**
   * Makes the deputy write the waiting frames.
   *
   * @return false: it cannot be started now; the frames leave with the next one, which is a
   *     heartbeat at the latest
   */
  private boolean callDeputy() {
    if (deputy != null) {
      deputyWanted.signal();
      return true;
    }
    try {
      deputy =
          Daemons.start(
              threadName,
              new Runnable() {
                @Override
                public void run() {
                  deputize();
                }
              });
      return true;
    } catch (NoThreadException notNow) {
      return false;
    }
  }

  /**
   * Writes until nothing waits, but no more often than {@code rounds}. The deputy writes the rest,
   * so that no caller is kept from its answer by another one's long call; where no deputy can be
   * started this thread does. Called with the lock held; leaves it while writing.
   */
  private void write(int rounds) {
    assert lock.isHeldByCurrentThread() && !busy;
    busy = true;
    for (int round = 0;
        failure == null && buffer.size() > 0 && (round < rounds || !callDeputy());
        round++) {
      long now = System.nanoTime();
      if (probes != null && buffer.size() <= MAX_PROBED_BYTES && probes.isDue(now)) {
        buffer.append(probes.heartbeat());
      }
      FrameOutput batch = buffer.begin(now);
      CodedWriter coding = coder;
      lastWriteNanos = now;
      if (heartbeat != null) {
        heartbeat.onSending(now);
      }
      IOException failed = null;
      lock.unlock();
      try {
        FrameOutput unit = coding == null ? batch : coding.code(batch, now);
        transport.write(unit.array(), 0, unit.size());
      } catch (IOException writing) {
        failed = writing;
        onFailure.accept(writing);
      } catch (RuntimeException
          | Error ourOwn) { // of coding: the callers that wait must hear of it
        failed = new IOException("the link cannot be written: " + ourOwn, ourOwn);
        onFailure.accept(failed);
      } finally {
        lock.lock();
      }
      batch.clear();
      if (failed != null && failure == null) {
        failure = failed;
      }
      if (lock.hasWaiters(progress)) {
        progress.signalAll();
      }
    }
    busy = false;
    if (failure != null) {
      closeCoder();
    }
    if (lock.hasWaiters(progress)) {
      progress.signalAll();
    }
  }

  private void deputize() {
    lock.lock();
    try {
      while (failure == null) {
        if (busy || buffer.size() == 0) {
          deputyWanted.awaitUninterruptibly();
        } else {
          write(Integer.MAX_VALUE);
        }
      }
    } finally {
      lock.unlock();
    }
  }
}

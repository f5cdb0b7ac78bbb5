package io.rmigate.gateway.session;

import io.rmigate.gateway.stream.AgentLink;
import io.rmigate.gateway.view.SessionMeters;
import io.rmigate.protocol.coding.CodedWriter;
import io.rmigate.protocol.coding.CodingFigures;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.FrameLog;
import io.rmigate.protocol.tunnel.FrameOutput;
import io.rmigate.protocol.tunnel.Tunnel;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The frames that a session has to send. Frames are gathered until {@link #flush}; one send is
 * under way at a time, and all that has come meanwhile leaves with the next.
 *
 * <p>The sending thread may code batches, from the first one after {@link #codeWith}.
 *
 * <p>Bounded without queues of payload: above {@link #HIGH_WATER_BYTES} a stream's owner is asked
 * to stop reading its server, and is called again, in order of waiting, once there is room. The
 * backlog stays in the server's own socket. Who has nothing yet in what is gathered may add up to
 * {@link #FULL_BYTES}, so that a small Return waits for little more than one such mark.
 *
 * <p>Frames that carry no payload are not held back, since their number follows from what the agent
 * has sent. An agent that asks for ever more of them and reads none finds its session ended: above
 * {@link #LIMIT_BYTES} nothing is added, and {@link #isOverfull} says so.
 *
 * <p>Lock: {@code lock} guards all; coding, sends and callbacks happen outside it.
 */
final class OutboundQueue {
  private static final Logger FRAMES = LoggerFactory.getLogger("io.rmigate.frames");
  static final int HIGH_WATER_BYTES = 64 * 1024;

  /** Bytes in the queue above which no stream may add payload. */
  static final int FULL_BYTES = 4 * HIGH_WATER_BYTES;

  /** The batch of one who has added nothing yet. */
  static final long NO_BATCH = AgentLink.NO_BATCH;

  /** No honest agent lets more bytes of answers wait. */
  static final int LIMIT_BYTES = 1024 * 1024;

  private final LinkPort port;
  private final SessionMeters meters;
  private final Consumer<Throwable> onFailure;
  private final LongSupplier clock;

  private final ReentrantLock lock = new ReentrantLock();
  private FrameOutput gathering = new FrameOutput(1024);
  private FrameOutput leaving = new FrameOutput(1024);
  private final Deque<Runnable> waitingForRoom = new ArrayDeque<>();

  /** The number of the batch that is being gathered. */
  private long batchNumber;

  private boolean sending;

  /** Whether the queue takes no more frames. */
  private boolean ended;

  /** Whether sending has stopped; a batch that is under way may still leave. */
  private boolean stopped;

  /**
   * Task for when all has left, or nothing more can; null until {@link #finish}, and afterwards.
   */
  private Runnable whenFinished;

  private long sendingSinceNanos;
  private boolean overfull;

  /**
   * Null while nothing is coded. Used by the thread that has set {@code sending}, else under the
   * lock.
   */
  private CodedWriter coder;

  private CodingFigures coded = CodingFigures.NONE;
  private final AtomicLong bytesSent = new AtomicLong();

  OutboundQueue(LinkPort port, SessionMeters meters, Consumer<Throwable> onFailure) {
    this(port, meters, onFailure, System::nanoTime);
  }

  OutboundQueue(
      LinkPort port, SessionMeters meters, Consumer<Throwable> onFailure, LongSupplier clock) {
    this.port = port;
    this.meters = meters;
    this.onFailure = onFailure;
    this.clock = clock;
  }

  /** Adds a frame; {@link #flush} sends it. */
  void add(Frame frame) {
    lock.lock();
    try {
      if (gathering.size() > LIMIT_BYTES) {
        overfull = true;
      } else {
        append(frame);
      }
    } finally {
      lock.unlock();
    }
  }

  private void append(Frame frame) {
    if (!ended) {
      if (FRAMES.isTraceEnabled()) {
        FRAMES.trace(FrameLog.line(true, frame));
      }
      gathering.append(frame);
    }
  }

  /**
   * Adds payload as data frames; {@link #flush} sends them.
   *
   * @return the batch it leaves with, for {@link #hasRoom}
   */
  long addData(int stream, ByteBuffer bytes) {
    if (FRAMES.isTraceEnabled()) {
      FRAMES.trace("» #{} DATA {} bytes", stream, bytes.remaining());
    }
    lock.lock();
    try {
      while (bytes.hasRemaining() && !ended) {
        int length = Math.min(bytes.remaining(), Tunnel.MAX_BODY_BYTES);
        gathering.data(stream, false, bytes, length);
      }
      return batchNumber;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Whether payload may be added now; otherwise {@code whenRoom} is called once there is room.
   *
   * @param lastBatch the latest batch that the stream has added to, or {@link #NO_BATCH}
   */
  boolean hasRoom(long lastBatch, Runnable whenRoom) {
    lock.lock();
    try {
      int mark = lastBatch == batchNumber ? HIGH_WATER_BYTES : FULL_BYTES;
      if (gathering.size() < mark || ended) {
        return true;
      }
      waitingForRoom.add(whenRoom);
      return false;
    } finally {
      lock.unlock();
    }
  }

  /** The number of tasks that wait to be called once there is room. */
  int waitingForRoom() {
    lock.lock();
    try {
      return waitingForRoom.size();
    } finally {
      lock.unlock();
    }
  }

  /** Sends what has been gathered, unless a send is under way: its end sends the rest. */
  void flush() {
    lock.lock();
    try {
      if (sending || stopped || gathering.size() == 0) {
        return;
      }
      beginSending();
    } finally {
      lock.unlock();
    }
    sendAll();
  }

  private void beginSending() {
    assert lock.isHeldByCurrentThread();
    sendingSinceNanos = clock.getAsLong(); // first: a send is never older than it is
    sending = true;
  }

  /**
   * Sends until nothing is left or a send goes on without us. Only by the thread that has set
   * {@code sending}.
   */
  private void sendAll() {
    Sending current;
    do {
      ByteBuffer bytes = nextBatch();
      if (bytes == null) {
        return;
      }
      current = new Sending(this);
      port.send(bytes, current);
    } while (current.endedWithinCall());
  }

  private ByteBuffer nextBatch() {
    List<Runnable> called = List.of();
    FrameOutput batch = null;
    CodedWriter coding = null;
    long now = 0;
    lock.lock();
    try {
      leaving.clear();
      if (stopped || gathering.size() == 0) {
        sending = false;
        giveBackIfEnded();
        called = whenFinished == null ? List.of() : List.of(whenFinished);
        whenFinished = null;
      } else {
        batch = gathering;
        gathering = leaving;
        leaving = batch;
        batchNumber++;
        coding = coder;
        now = clock.getAsLong();
        sendingSinceNanos = now;
      }
      if (!waitingForRoom.isEmpty()) {
        called = List.copyOf(waitingForRoom);
        waitingForRoom.clear();
      }
    } finally {
      lock.unlock();
    }
    if (!called.isEmpty()) {
      called.forEach(Runnable::run);
    }
    return batch == null ? null : unit(batch, coding, now);
  }

  /**
   * What is sent instead of a batch; null after a failure. By the thread that has set {@code
   * sending}.
   */
  private ByteBuffer unit(FrameOutput batch, CodedWriter coding, long now) {
    FrameOutput unit = batch;
    if (coding != null) {
      try {
        unit = coding.code(batch, now);
      } catch (RuntimeException | Error ourOwn) {
        stop();
        giveSendingUp();
        onFailure.accept(ourOwn);
        return null;
      }
      if (unit != batch) { // perhaps only to say that the context was given up
        CodingFigures sum = coding.figures();
        meters.codedToAgent(sum.since(coded));
        coded = sum;
      }
    }
    bytesSent.addAndGet(unit.size());
    meters.bytesToAgent(unit.size());
    return ByteBuffer.wrap(unit.array(), 0, unit.size());
  }

  private void giveSendingUp() {
    lock.lock();
    try {
      sending = false;
      giveBackIfEnded();
    } finally {
      lock.unlock();
    }
  }

  /** Offers all bytes that are sent from here on to {@code writer} first. */
  void codeWith(CodedWriter writer) {
    lock.lock();
    try {
      coder = writer;
    } finally {
      lock.unlock();
    }
  }

  /** Gives back what coding holds, if it has not been used for a while. */
  void releaseIdleCoder(long now) {
    lock.lock();
    try {
      if (coder != null && !sending) {
        coder.releaseIfIdle(now);
      }
    } finally {
      lock.unlock();
    }
  }

  /** An ended session may be known for a while: what it does not need it does not keep. */
  private void giveBackIfEnded() {
    assert lock.isHeldByCurrentThread() && !sending;
    if (!ended) {
      return;
    }
    gathering = new FrameOutput(0);
    leaving = new FrameOutput(0);
    if (coder != null) {
      coder.close();
      coder = null;
    }
  }

  /** Whether frames that are not urgent should wait. */
  boolean isAboveHighWater() {
    lock.lock();
    try {
      return gathering.size() >= HIGH_WATER_BYTES;
    } finally {
      lock.unlock();
    }
  }

  /** Whether something could not be added since too much waits already. */
  boolean isOverfull() {
    lock.lock();
    try {
      return overfull;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Sends what is here and one more frame, and takes nothing else.
   *
   * @param then called once it has left or cannot leave, perhaps from within
   */
  void finish(Frame last, Runnable then) {
    boolean idle;
    lock.lock();
    try {
      append(last);
      ended = true;
      whenFinished = then;
      waitingForRoom.clear();
      idle = !sending;
      if (idle) {
        beginSending();
      }
    } finally {
      lock.unlock();
    }
    if (idle) {
      sendAll();
    }
  }

  /** Stops sending; a batch that is under way may still leave. */
  void stop() {
    lock.lock();
    try {
      ended = true;
      stopped = true;
      waitingForRoom.clear();
      if (!sending) {
        giveBackIfEnded(); // else the end of the send does
      }
    } finally {
      lock.unlock();
    }
  }

  /** Time for which the link has not taken the bytes of one send; 0 when it is not behind. */
  long stuckNanos(long now) {
    lock.lock();
    try {
      return sending ? now - sendingSinceNanos : 0;
    } finally {
      lock.unlock();
    }
  }

  long bytesSent() {
    return bytesSent.get();
  }

  /** One send: the second of its end and the return of the call starts the next. */
  private static final class Sending implements LinkPort.SendEnd {
    private static final AtomicIntegerFieldUpdater<Sending> PHASE =
        AtomicIntegerFieldUpdater.newUpdater(Sending.class, "phase");

    private static final int UNDER_WAY = 0;
    private static final int CALL_RETURNED = 1;
    private static final int ENDED = 2;

    private final OutboundQueue queue;

    @SuppressWarnings("UnusedVariable") // PHASE reads it
    private volatile int phase;

    Sending(OutboundQueue queue) {
      this.queue = queue;
    }

    @Override
    public void sendEnded(Throwable failure) {
      if (failure != null) {
        queue.stop();
        queue.onFailure.accept(failure);
      }
      if (!PHASE.compareAndSet(this, UNDER_WAY, ENDED)) {
        queue.sendAll();
      }
    }

    boolean endedWithinCall() {
      return !PHASE.compareAndSet(this, UNDER_WAY, CALL_RETURNED);
    }
  }
}

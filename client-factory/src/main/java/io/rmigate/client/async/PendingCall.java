package io.rmigate.client.async;

import io.rmigate.client.deadline.CallClock;
import io.rmigate.client.deadline.CallTimeout;
import io.rmigate.client.deadline.CallTimeoutException;
import io.rmigate.client.socket.LostCallException;
import java.io.IOException;
import java.rmi.ConnectIOException;
import java.rmi.MarshalException;
import java.rmi.NoSuchObjectException;
import java.rmi.RemoteException;
import java.rmi.ServerException;
import java.rmi.UnmarshalException;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One call on its way.
 *
 * <pre>
 *   WAITING ── its turn ──► SENDING ──► SENT ── the Return begins ──► READING ──► OVER
 *      └───────────────────────┴──────────┴──── given up, failed ────────┴──────► OVER
 * </pre>
 *
 * <p>Threads: the one that makes the call sends it when its turn is at once; otherwise one of
 * {@link AsyncThreads}. The Return is read on the executor. Any thread gives it up. {@code lock}
 * guards the state; nothing is sent, closed or completed under it.
 */
final class PendingCall<R> {
  private enum State {
    WAITING,
    SENDING,
    SENT,
    READING,
    OVER
  }

  /** Until the time of a call is looked at again that is being sent. */
  private static final long LATER_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** Null when the call is over: its bytes, and what its arguments refer to, are let go. */
  private PreparedCall prepared;

  private final int bytes;
  private final ConnectionSource server;
  private final CallThrottle throttle;
  private final CallClock clock;
  private final Executor executor;
  private final AsyncCall<R> future;
  private final boolean dropsResult;

  private final ReentrantLock lock = new ReentrantLock();
  private State state = State.WAITING;

  /** Null until one was taken, and when the call is over. */
  private CallConnection connection;

  /** The execution state to report when the call is over. */
  private Execution outcome = Execution.NOT_EXECUTED;

  /** Whether a thread reads the Return, or will. */
  private boolean isReaderFound;

  /** Whether the result of the Return that is being read is not wanted any more. */
  private boolean isAbandoned;

  /** Whether a thread may still send the call, though its state is {@link State#SENT}. */
  private boolean isBeingSent;

  /** Null while no time is kept. */
  private ScheduledFuture<?> alarm;

  private long sentNanos;

  PendingCall(
      PreparedCall prepared,
      ConnectionSource server,
      CallThrottle throttle,
      CallClock clock,
      Executor executor,
      AsyncCall<R> future,
      boolean dropsResult) {
    this.prepared = prepared;
    this.bytes = prepared.message().length;
    this.server = server;
    this.throttle = throttle;
    this.clock = clock;
    this.executor = executor;
    this.future = future;
    this.dropsResult = dropsResult;
  }

  int bytes() {
    return bytes;
  }

  Execution execution() {
    lock.lock();
    try {
      return switch (state) {
        case WAITING -> Execution.NOT_EXECUTED;
        case SENDING, SENT -> sentSoFar(connection);
        case READING -> Execution.EXECUTED;
        case OVER -> outcome;
      };
    } finally {
      lock.unlock();
    }
  }

  private static Execution sentSoFar(CallConnection over) {
    return over == null || over.isUnsent() ? Execution.NOT_EXECUTED : Execution.POSSIBLY_EXECUTED;
  }

  /** Sends the call, or has it wait for its turn. Once, by the thread that makes it. */
  void begin() {
    boolean now;
    try {
      now = throttle.admit(this, bytes());
    } catch (RejectedExecutionException tooMany) {
      lock.lock();
      try {
        state = State.OVER; // without a place among the calls that are under way
        prepared = null;
      } finally {
        lock.unlock();
      }
      future.settle(null, tooMany);
      return;
    }
    if (clock.isBounded()) {
      alarmIn(clock.leftNanos());
    }
    if (now && server.passesGateway()) {
      send(false);
    } else if (now) {
      sendSoon();
    }
  }

  /** Sends this call on another thread, because it is its turn. */
  private void sendSoon() {
    try {
      if (server.passesGateway()) {
        AsyncThreads.reading().execute(() -> send(false));
      } else {
        AsyncThreads.waiting().execute(() -> send(true));
      }
    } catch (RuntimeException | Error noThread) {
      fail(new ConnectIOException("no thread for the call", asException(noThread)));
    }
  }

  /**
   * @param mayWait whether this thread may wait for the Return
   */
  private void send(boolean mayWait) {
    if (!begins()) {
      return; // given up meanwhile
    }
    CallTimeout scope = clock.isBounded() ? CallTimeout.of(left()) : null;
    try {
      CallConnection taken = server.take();
      if (!goesOver(taken)) {
        taken.close();
      } else if (mayWait || taken.passesGateway()) {
        sendOver(taken);
      } else {
        AsyncThreads.waiting().execute(() -> sendOver(taken));
      }
    } catch (RemoteException failed) {
      fail(failed);
    } catch (RuntimeException | Error failed) {
      fail(new ConnectIOException("Exception creating connection", asException(failed)));
    } finally {
      if (scope != null) {
        scope.close();
      }
    }
  }

  private boolean begins() {
    lock.lock();
    try {
      if (state != State.WAITING) {
        return false;
      }
      state = State.SENDING;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** False when the call was given up meanwhile. */
  private boolean goesOver(CallConnection taken) {
    lock.lock();
    try {
      if (state != State.SENDING) {
        return false;
      }
      connection = taken;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Bounds of a scope: a millisecond at least, though the time may be over. */
  private Duration left() {
    return Duration.ofNanos(Math.max(TimeUnit.MILLISECONDS.toNanos(1), clock.leftNanos()));
  }

  private void sendOver(CallConnection over) {
    PreparedCall call;
    lock.lock();
    try {
      call = prepared;
    } finally {
      lock.unlock();
    }
    if (call == null) {
      return; // given up meanwhile
    }
    try {
      over.send(call);
    } catch (IOException | RuntimeException failed) {
      fail(new MarshalException("error marshalling arguments", asException(failed)));
      return;
    }
    if (!isSent()) {
      return; // given up meanwhile
    }
    try {
      if (over.passesGateway()) {
        over.whenAnswered(this::readSoon);
        keepTime(over);
      } else {
        read();
      }
    } catch (IOException | RuntimeException failed) {
      fail(new UnmarshalException("Error unmarshaling return header", asException(failed)));
    }
  }

  private boolean isSent() {
    lock.lock();
    try {
      if (state != State.SENDING) {
        return false;
      }
      state = State.SENT;
      isBeingSent = true;
      sentNanos = System.nanoTime();
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void keepTime(CallConnection over) {
    lock.lock();
    try {
      isBeingSent = false;
    } finally {
      lock.unlock();
    }
    long left = over.leftNanos();
    if (left != Long.MAX_VALUE) {
      alarmIn(left);
    }
  }

  /**
   * Has the Return read by the executor. The thread that calls this may be the one that reads the
   * link, which must not wait for more of the Return, even if the executor would let it.
   */
  private void readSoon() {
    Thread here = Thread.currentThread();
    boolean[] handingOver = {true};
    try {
      executor.execute(
          () -> {
            if (handingOver[0] && Thread.currentThread() == here) {
              AsyncThreads.reading().execute(this::read);
            } else {
              read();
            }
          });
    } catch (RuntimeException | Error refused) { // the application's executor takes no more
      try {
        AsyncThreads.reading().execute(this::read);
      } catch (RuntimeException | Error noThread) {
        fail(new UnmarshalException("no thread for the result", asException(noThread)));
      }
    } finally {
      handingOver[0] = false;
    }
  }

  private void read() {
    CallConnection from;
    PreparedCall call;
    lock.lock();
    try {
      if (state != State.SENT || isReaderFound) {
        return; // given up, or read already
      }
      isReaderFound = true;
      from = connection;
      call = prepared;
    } finally {
      lock.unlock();
    }
    Reply.Reader reader = new Reply.Reader(from.in(), call);
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(call.contextLoader());
    Reply reply = null;
    Throwable failure = null;
    try {
      reply = reader.read(this::onBegin);
      failure = reply.failure();
    } catch (UnmarshalException | RuntimeException | Error failed) {
      failure = failed;
    } finally {
      thread.setContextClassLoader(before);
    }
    Execution known =
        reply == null
            ? outcomeOf(failure, reader.hasBegun(), from)
            : outcomeOf(reply.failure(), from);
    finish(from, reply, failure, known);
  }

  private void onBegin() {
    lock.lock();
    try {
      if (state == State.SENT) {
        state = State.READING;
      }
    } finally {
      lock.unlock();
    }
  }

  /** The execution state after a Return: an exceptional one, or a normal one without a failure. */
  private static Execution outcomeOf(Exception failure, CallConnection from) {
    if (failure == null) {
      return Execution.EXECUTED;
    }
    if (from.isAnsweredHere() || failure instanceof NoSuchObjectException) {
      return Execution.NOT_EXECUTED; // a method that throws it has it wrapped
    }
    return failure instanceof ServerException && failure.getCause() instanceof UnmarshalException
        ? Execution.POSSIBLY_EXECUTED // of its arguments, or within its own calls
        : Execution.EXECUTED;
  }

  private static Execution outcomeOf(Throwable failure, boolean begun, CallConnection from) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof LostCallException lost) {
        return lost.wasExecuted() ? Execution.EXECUTED : Execution.POSSIBLY_EXECUTED;
      }
      if (cause instanceof CallTimeoutException late && !late.mayHaveBeenExecuted()) {
        return Execution.NOT_EXECUTED;
      }
    }
    if (begun) {
      return Execution.EXECUTED;
    }
    return from.isUnsent() ? Execution.NOT_EXECUTED : Execution.POSSIBLY_EXECUTED;
  }

  /** The Return has been read, or will not be read any more. */
  private void finish(CallConnection from, Reply reply, Throwable failure, Execution known) {
    boolean reusable = reply != null && !(failure instanceof RemoteException);
    try {
      if (reply != null && reply.acknowledge() != null) {
        from.acknowledge(reply.acknowledge());
      }
    } catch (IOException gone) {
      reusable = false; // the server lets go of what it has returned after a while
    }
    if (reusable && from.isIdle()) {
      server.giveBack(from);
    } else {
      from.close();
    }
    if (end(known)) {
      settle(reply, failure);
    }
  }

  @SuppressWarnings("unchecked") // as the method declares it
  private void settle(Reply reply, Throwable failure) {
    future.settle(failure == null && !dropsResult ? (R) reply.value() : null, failure);
  }

  /** Ends the call without a Return. */
  private void fail(RemoteException failure) {
    CallConnection broken;
    lock.lock();
    try {
      if (state == State.OVER || state == State.READING) {
        return;
      }
      broken = connection;
    } finally {
      lock.unlock();
    }
    if (end(sentSoFar(broken))) {
      if (broken != null) {
        broken.close();
        know(outcomeOf(failure, false, broken));
      }
      future.settle(null, failure);
    }
  }

  private void know(Execution known) {
    lock.lock();
    try {
      outcome = known;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Gives the call up, because the application does not want its result any more.
   *
   * @return false when the call was over already
   */
  boolean giveUp() {
    CallConnection given;
    lock.lock();
    try {
      if (state == State.OVER || isAbandoned) {
        return false;
      }
      if (state == State.READING) {
        isAbandoned = true; // the references in it are to be released in order
        outcome = Execution.EXECUTED;
        return true;
      }
      given = connection;
    } finally {
      lock.unlock();
    }
    if (!end(sentSoFar(given))) {
      return false;
    }
    if (given != null) {
      given.close();
      know(sentSoFar(given)); // which is final now
    }
    return true;
  }

  /**
   * The call is over, and another one may take its place.
   *
   * @return whether its future is to be completed; not so when it was over already
   */
  private boolean end(Execution known) {
    boolean waited;
    boolean isWanted;
    lock.lock();
    try {
      if (state == State.OVER) {
        return false;
      }
      waited = state == State.WAITING;
      isWanted = !isAbandoned;
      outcome = isAbandoned ? Execution.EXECUTED : known;
      state = State.OVER;
      connection = null;
      prepared = null;
      if (alarm != null) {
        alarm.cancel(false);
        alarm = null;
      }
    } finally {
      lock.unlock();
    }
    if (!waited || !throttle.withdraw(this)) {
      PendingCall<?> next = throttle.over();
      if (next != null) {
        next.sendSoon();
      }
    }
    return isWanted;
  }

  private void alarmIn(long nanos) {
    lock.lock();
    try {
      if (state != State.OVER) {
        if (alarm != null) {
          alarm.cancel(false);
        }
        alarm =
            AsyncThreads.timing()
                .schedule(
                    () -> AsyncThreads.ending().execute(this::onTime),
                    Math.max(0, nanos),
                    TimeUnit.NANOSECONDS);
      }
    } finally {
      lock.unlock();
    }
  }

  /** The time is over; what passes the gateway has that said by its connection. */
  private void onTime() {
    State now;
    boolean isSending;
    CallConnection at;
    lock.lock();
    try {
      now = state;
      isSending = state == State.SENDING || (state == State.SENT && isBeingSent);
      at = connection;
    } finally {
      lock.unlock();
    }
    boolean connects = at == null && now != State.OVER;
    if (connects) {
      String host = server.server().host();
      fail(new ConnectIOException("Exception creating connection to: " + host, clock.notSent()));
    } else if (isSending && at.passesGateway()) {
      alarmIn(LATER_NANOS); // the thread that sends ends it
    } else if (now == State.SENT && at.passesGateway()) {
      long left = at.leftNanos();
      if (left > 0 && left != Long.MAX_VALUE) {
        alarmIn(left);
      } else {
        readSoon(); // which tells where the time went
      }
    } else if (now == State.READING && !at.passesGateway()) {
      at.close(); // the thread that reads ends it
    } else if (now == State.SENDING || now == State.SENT) {
      fail(
          new UnmarshalException(
              "Error unmarshaling return header", clock.notAnswered(sentNanos, Duration.ZERO)));
    }
  }

  private static Exception asException(Throwable failed) {
    return failed instanceof Exception known ? known : new IOException(failed.toString(), failed);
  }
}

package io.rmigate.client.async;

import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;

/**
 * The results of a remote cursor, for which calls are made ahead of their need:
 *
 * <pre>{@code
 * try (ReadAhead<Row> rows = Rmigate.readAhead(cursor, Cursor::next, 100)) {
 *   while (rows.hasNext()) {
 *     use(rows.next());
 *   }
 * }
 * }</pre>
 *
 * Up to the given number of calls are under way or have results that wait here. They are executed
 * one after the other, in the order of the results, as if one thread called: the gateway sends each
 * when the result of the one before is whole. Where calls do not pass a gateway that knows
 * sequences, one is made ahead, and no more.
 *
 * <p><b>The end.</b> The first result that is null ends the iteration, and the first exception,
 * too: {@link #next} throws it. No call behind these is executed. Where results end otherwise,
 * {@link #close} ends the calls; by then the server may have executed as many calls more than were
 * taken as are made ahead. The object must not mind.
 *
 * <p>One thread takes the results; any closes. The arguments of the call are marshalled once, when
 * this is made.
 *
 * @param <R> the result
 */
public final class ReadAhead<R> implements Iterator<R>, AutoCloseable {
  /** Each call that is made ahead has a connection to the server. */
  public static final int MOST_CALLS = 256;

  private final AsyncStub<?> stub;
  private final PreparedCall prepared;
  private final int depth;
  private final Deque<AsyncCall<R>> ahead = new ArrayDeque<>();

  /** Null until the first call, and where calls have no sequence. */
  private volatile SequencedConnections sequence;

  /** The call that was made last; null before the first. */
  private volatile AsyncCall<R> latest;

  private CallThrottle throttle;
  private boolean begun;
  private volatile boolean closed;

  /** Why the calls could not begin; null when they could. */
  private RemoteException failure;

  private ReadAhead(AsyncStub<?> stub, PreparedCall prepared, int depth) {
    this.stub = stub;
    this.prepared = prepared;
    this.depth = depth;
  }

  /**
   * Results of calls by a stub. Nothing is called before the first result is asked for.
   *
   * @param next calls one remote method, and returns what that returns
   * @param calls to be made ahead, from 1 to {@link #MOST_CALLS}
   * @throws IllegalArgumentException the function does anything else, its arguments cannot be
   *     marshalled, or the number is another one
   */
  public static <T extends Remote, R> ReadAhead<R> of(
      AsyncStub<T> stub, RemoteFunction<? super T, R> next, int calls) {
    Objects.requireNonNull(next, "next");
    if (calls < 1 || calls > MOST_CALLS) {
      throw new IllegalArgumentException(
          "expected 1 to " + MOST_CALLS + " calls ahead, got " + calls);
    }
    return new ReadAhead<>(stub, stub.prepare(next::call), calls);
  }

  /** Whether there is another result, or an exception; waits for it. */
  @Override
  public boolean hasNext() {
    if (failure != null) {
      return true;
    }
    if (closed) {
      return false;
    }
    fill();
    if (failure != null) {
      return true;
    }
    AsyncCall<R> first = ahead.peek();
    if (first == null) {
      return false; // closed meanwhile
    }
    boolean isEnd;
    try {
      isEnd = first.join() == null;
    } catch (CompletionException | CancellationException thrown) {
      return !closed; // by next()
    }
    if (isEnd) {
      close();
    }
    return !isEnd;
  }

  /**
   * The next result; waits for it.
   *
   * @throws NoSuchElementException there is none
   * @throws CompletionException around the exception of the call; nothing follows
   */
  @Override
  public R next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    if (failure != null) {
      RemoteException thrown = failure;
      failure = null;
      throw new CompletionException(thrown);
    }
    AsyncCall<R> first = ahead.remove();
    try {
      R result = first.join();
      fill();
      return result;
    } catch (CompletionException thrown) {
      close();
      throw thrown;
    }
  }

  private void fill() {
    if (!begun) {
      begun = true;
      begin();
    }
    while (!closed && ahead.size() < limit()) {
      AsyncCall<R> made = stub.make(prepared, sequence, throttle);
      ahead.add(made);
      latest = made;
    }
    if (closed) {
      close(); // what was made meanwhile, too
    }
  }

  private int limit() {
    return sequence == null ? 1 : depth;
  }

  private void begin() {
    try {
      sequence = depth == 1 ? null : SequencedConnections.open(stub.server());
      throttle = new CallThrottle(limit());
    } catch (RemoteException noConnection) {
      failure = noConnection;
      closed = true;
    }
  }

  /** Makes no more calls, and gives up those that are under way. Idempotent. */
  @Override
  public void close() {
    closed = true;
    SequencedConnections ends = sequence;
    AsyncCall<R> single = latest;
    if (ends != null) {
      ends.close();
    } else if (single != null) {
      single.cancel(false);
    }
  }
}

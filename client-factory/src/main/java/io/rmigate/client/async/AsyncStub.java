package io.rmigate.client.async;

import io.rmigate.client.deadline.CallClock;
import io.rmigate.client.deadline.CallTimeout;
import io.rmigate.client.deadline.Deadlines;
import java.io.IOException;
import java.rmi.MarshalException;
import java.rmi.Remote;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;

/**
 * Calls of one remote object for whose results no thread waits:
 *
 * <pre>{@code
 * AsyncStub<Shop> async = Rmigate.async(shop);
 * AsyncCall<Item> seven = async.call(s -> s.find(7));
 * AsyncCall<Item> eight = async.call(s -> s.find(8));
 * use(seven.get(), eight.get());
 * }</pre>
 *
 * The function is run at once, on the calling thread, on a proxy that only takes note: it must call
 * one remote method and return what that returns, which is null, zero or false. Arguments are
 * marshalled at once, so that they may be changed as soon as {@code call} has returned. The server
 * sees an ordinary call of RMI; the gateway judges it like any other.
 *
 * <p><b>Order.</b> Calls are executed in any order, some of them at the same time.
 *
 * <p><b>Threads.</b> The calling thread marshals and sends, and may wait while a link is opened or
 * the network takes no bytes. Results are unmarshalled on a few daemons, or on the executor that
 * was given. Calls that do not pass the gateway wait on a pool of 16 threads.
 *
 * <p><b>Number.</b> At most 128 calls are under way to one server, or as many as {@link
 * #withConcurrency} says. Others wait in order, at most 10 000 and 64 MiB; one more fails with a
 * {@link java.util.concurrent.RejectedExecutionException}.
 *
 * <p><b>Failures.</b> The future fails with the exception that the stub would throw; {@link
 * AsyncCall#execution} says whether the call was executed. No call is sent twice.
 *
 * <p>Immutable and thread-safe. It keeps the stub, and so its lease.
 *
 * @param <T> the remote interface
 */
public final class AsyncStub<T extends Remote> {
  private final T stub;
  private final StubReference reference;
  private final ServerConnections server;
  private final CallThrottle throttle;

  /** Zero for no bound but that of the thread. */
  private final Duration timeout;

  private final Executor executor;

  private AsyncStub(
      T stub,
      StubReference reference,
      ServerConnections server,
      CallThrottle throttle,
      Duration timeout,
      Executor executor) {
    this.stub = stub;
    this.reference = reference;
    this.server = server;
    this.throttle = throttle;
    this.timeout = timeout;
    this.executor = executor;
  }

  /**
   * Calls by a stub, which stays as it is.
   *
   * @throws IllegalArgumentException it is no stub
   */
  public static <T extends Remote> AsyncStub<T> of(T stub) {
    StubReference reference = StubReference.of(stub);
    ServerConnections server = ServerConnections.of(reference.server());
    return new AsyncStub<>(
        stub, reference, server, server.throttle(), Duration.ZERO, AsyncThreads.reading());
  }

  /**
   * Calls of this object with another bound of their time, from the making of a call to the last
   * byte of its result. It takes the place of the bounds of the configuration; the scope of the
   * thread, if it is shorter, holds as well.
   *
   * @param limit at least a millisecond and at most a day; zero for none
   */
  public AsyncStub<T> withTimeout(Duration limit) {
    CallTimeout.of(limit).close(); // checks it
    return new AsyncStub<>(stub, reference, server, throttle, limit, executor);
  }

  /** Calls of this object whose results are unmarshalled, and futures completed, there. */
  public AsyncStub<T> withExecutor(Executor other) {
    return new AsyncStub<>(
        stub, reference, server, throttle, timeout, Objects.requireNonNull(other, "executor"));
  }

  /**
   * Calls of this object with a bound of their own for those that are under way at a time, instead
   * of the one for its server. Each has a connection to the server.
   *
   * @param calls from 1 to 512
   */
  public AsyncStub<T> withConcurrency(int calls) {
    if (calls < 1 || calls > CallThrottle.MOST_CALLS) {
      throw new IllegalArgumentException(
          "expected 1 to " + CallThrottle.MOST_CALLS + " calls, got " + calls);
    }
    return new AsyncStub<>(stub, reference, server, new CallThrottle(calls), timeout, executor);
  }

  /**
   * Makes a call that has a result. Results of primitive types come in their wrapper classes.
   *
   * @param function calls one remote method, and returns what that returns
   * @throws IllegalArgumentException it does anything else
   */
  public <R> AsyncCall<R> call(RemoteFunction<? super T, R> function) {
    Objects.requireNonNull(function, "function");
    return make(function::call, false);
  }

  /**
   * Makes a call whose result, if it has one, is not wanted.
   *
   * @param action calls one remote method
   * @throws IllegalArgumentException it does anything else
   */
  public AsyncCall<Void> run(RemoteAction<? super T> action) {
    return make(Objects.requireNonNull(action, "action"), true);
  }

  StubReference.Server server() {
    return reference.server();
  }

  /**
   * A call that is made later, perhaps several times.
   *
   * @throws IllegalArgumentException it is none, or cannot be marshalled
   */
  PreparedCall prepare(RemoteAction<? super T> function) {
    CallRecorder recorded = CallRecorder.record(stub, reference, function);
    try {
      return PreparedCall.of(reference, recorded.method(), recorded.arguments());
    } catch (IOException failed) {
      throw new IllegalArgumentException("the arguments cannot be marshalled", failed);
    }
  }

  /**
   * Makes a call that has been prepared.
   *
   * @param connections null for those of the server
   */
  <R> AsyncCall<R> make(PreparedCall prepared, ConnectionSource connections, CallThrottle among) {
    AsyncCall<R> future = new AsyncCall<>();
    PendingCall<R> pending =
        new PendingCall<>(
            prepared,
            connections == null ? server : connections,
            among,
            clock(System.nanoTime()),
            executor,
            future,
            false);
    future.begin(pending);
    pending.begin();
    return future;
  }

  private <R> AsyncCall<R> make(RemoteAction<? super T> function, boolean dropsResult) {
    long start = System.nanoTime();
    CallRecorder recorded = CallRecorder.record(stub, reference, function);
    AsyncCall<R> future = new AsyncCall<>();
    PreparedCall prepared;
    try {
      prepared = PreparedCall.of(reference, recorded.method(), recorded.arguments());
    } catch (IOException | RuntimeException failed) {
      future.settle(null, new MarshalException("error marshalling arguments", failed));
      return future;
    }
    PendingCall<R> pending =
        new PendingCall<>(prepared, server, throttle, clock(start), executor, future, dropsResult);
    future.begin(pending);
    pending.begin();
    return future;
  }

  private CallClock clock(long start) {
    CallTimeout scope = CallTimeout.of(timeout);
    try {
      return Deadlines.NO_RULES.connecting(
          reference.server().host(), reference.server().port(), start);
    } finally {
      scope.close();
    }
  }

  @Override
  public String toString() {
    return "AsyncStub[" + reference + "]";
  }
}

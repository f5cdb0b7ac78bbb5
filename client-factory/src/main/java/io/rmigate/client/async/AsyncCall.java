package io.rmigate.client.async;

import java.util.concurrent.CompletableFuture;

/**
 * The result of a call that is under way. It fails with the exception that a stub would throw.
 *
 * <p>To complete or cancel the future before the answer has come gives the call up: its connection
 * is closed, a call that has not been sent never is, and {@link #execution} says what is known. The
 * server may go on executing, because RMI cannot stop it.
 *
 * <p>Thread-safe. Stages that depend on it run on the executor of the {@link AsyncStub}, or on the
 * thread that adds them; by default there are few threads, which must not be kept waiting.
 *
 * @param <R> the result
 */
public final class AsyncCall<R> extends CompletableFuture<R> {
  /** Null while the call is being made. */
  private volatile PendingCall<R> pending;

  AsyncCall() {}

  void begin(PendingCall<R> call) {
    pending = call;
  }

  /**
   * Whether the server has executed the call, as far as that is known. The answer is final when
   * this is done: after a cancellation, too.
   */
  public Execution execution() {
    PendingCall<R> call = pending;
    return call == null ? Execution.NOT_EXECUTED : call.execution();
  }

  /**
   * Gives the call up.
   *
   * @param mayInterruptIfRunning has no effect
   * @return false when it was done before
   */
  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    giveUp();
    return super.cancel(mayInterruptIfRunning);
  }

  /** Gives the call up, and completes it with this value. */
  @Override
  public boolean complete(R value) {
    giveUp();
    return super.complete(value);
  }

  /** Gives the call up, and lets it fail. */
  @Override
  public boolean completeExceptionally(Throwable failure) {
    giveUp();
    return super.completeExceptionally(failure);
  }

  private void giveUp() {
    PendingCall<R> call = pending;
    if (call != null && !isDone()) {
      call.giveUp();
    }
  }

  /** The call is over. */
  void settle(R value, Throwable failure) {
    if (failure == null) {
      super.complete(value);
    } else {
      super.completeExceptionally(failure);
    }
  }
}

package io.rmigate.client.deadline;

import java.time.Duration;

/**
 * Bounds the calls that the current thread makes while this is open, each by itself:
 *
 * <pre>{@code
 * try (CallTimeout timeout = CallTimeout.of(Duration.ofSeconds(2))) {
 *   stub.call();
 * }
 * }</pre>
 *
 * A scope takes the place of what the configuration says, be it longer or shorter. Of scopes inside
 * each other the shortest counts: who is called cannot undo the bound of who calls. For calls
 * through every gateway of this JVM; other threads, and virtual threads that are started inside,
 * are not concerned. Close it on the thread that has opened it; that also closes what was opened
 * inside and left open.
 *
 * <p>In a JVM with the javaagent this must be the agent's class: an application that brings a copy
 * of its own in a class loader of its own bounds nothing.
 */
public final class CallTimeout implements AutoCloseable {
  private static final ThreadLocal<CallTimeout> INNERMOST = new ThreadLocal<>();

  /** Whether a scope was ever opened: without one, no thread gets a thread-local. */
  private static volatile boolean used;

  private final Thread owner = Thread.currentThread();
  private final CallTimeout outer;
  private final Duration shortest;
  private boolean closed;

  private CallTimeout(CallTimeout outer, Duration shortest) {
    this.outer = outer;
    this.shortest = shortest;
  }

  /**
   * Opens a scope on this thread.
   *
   * @param limit for each call, at least a millisecond and at most a day; zero for none but that of
   *     an outer scope
   * @throws IllegalArgumentException it is less or more
   */
  public static CallTimeout of(Duration limit) {
    CallTimeouts.checkLimit(limit);
    used = true;
    CallTimeout outer = INNERMOST.get();
    Duration shortest =
        outer == null || outer.shortest.isZero() || isBound(limit, outer.shortest)
            ? limit
            : outer.shortest;
    CallTimeout opened = new CallTimeout(outer, shortest);
    INNERMOST.set(opened);
    return opened;
  }

  private static boolean isBound(Duration limit, Duration by) {
    return !limit.isZero() && limit.compareTo(by) < 0;
  }

  /** The bound of calls on this thread: null outside of all scopes, zero for no bound. */
  static Duration current() {
    CallTimeout innermost = used ? INNERMOST.get() : null;
    return innermost == null ? null : innermost.shortest;
  }

  /**
   * Ends the scope. Idempotent.
   *
   * @throws IllegalStateException on another thread
   */
  @Override
  public void close() {
    if (Thread.currentThread() != owner) {
      throw new IllegalStateException("expected to be closed on the thread that has opened it");
    }
    if (closed) {
      return;
    }
    CallTimeout left = INNERMOST.get();
    while (left != outer) {
      left.closed = true;
      left = left.outer;
    }
    if (outer == null) {
      INNERMOST.remove();
    } else {
      INNERMOST.set(outer);
    }
  }
}

package io.rmigate.gateway.services;

import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.quota.Quota;
import io.rmigate.gateway.quota.Shares;
import io.rmigate.soap.json.Problem;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * The requests that hold a thread of the container, and their bounds: requests of one principal,
 * and of all principals. Thread-safe.
 */
final class CallsInProgress {

  /** One of them; ends when it is closed. */
  final class Call implements AutoCloseable {
    private final Principal principal;
    private final String path;
    private final long begun = System.nanoTime();

    /** Set once by the calling thread, when it is known. */
    private volatile String operation = UNKNOWN;

    /** Bytes of the body that were read; confined to the calling thread. */
    private long bytesRead;

    /** Time at which the remote object may first have been called; 0: not yet. */
    private volatile long reachedNanos;

    /** Whether the object may have been called and has not answered. */
    private volatile boolean waits;

    /**
     * End of the call; confined to the calling thread; empty before the call, unless it is refused.
     */
    private Optional<CallEnd> end = Optional.empty();

    /** The called method; confined to the calling thread. */
    private Optional<Method> method = Optional.empty();

    private boolean sends; // guarded by lock
    private boolean ended; // guarded by lock

    private Call(Principal principal, String path) {
      this.principal = principal;
      this.path = path;
    }

    /** Records the number of bytes read from the body. */
    void hasRead(long bytes) {
      bytesRead = bytes;
    }

    long bytesRead() {
      return bytesRead;
    }

    void isOf(String name) {
      operation = name;
    }

    String operation() {
      return operation;
    }

    /** Notes that the remote object may have been called from now on. */
    void reaches() {
      end = Optional.of(CallEnd.UNKNOWN);
      long now = System.nanoTime();
      reachedNanos = now == 0 ? 1 : now;
      waits = true;
    }

    /** The remote object has answered, or will not. */
    void isAnswered() {
      waits = false;
    }

    /** Notes the method that is about to be called. */
    void calls(Method called) {
      method = Optional.of(called);
    }

    Optional<Method> method() {
      return method;
    }

    /** Sets the result of the call. */
    void ends(CallEnd now) {
      end = Optional.of(now);
    }

    Optional<CallEnd> end() {
      return end;
    }

    boolean hasReached() {
      return reachedNanos != 0;
    }

    long nanos() {
      return System.nanoTime() - begun;
    }

    /**
     * The answer is known and only has to be sent. The call moves to a place for sending, and its
     * place for working becomes free. There are as many places for sending as for working; while
     * all are taken, the call keeps its place for working.
     */
    void sends(ServiceSettings settings) {
      lock.lock();
      try {
        if (!sends && !ended && sending.take(principal, 1, quota(settings))) {
          working.release(principal, 1);
          sends = true;
          calls.remove(this);
        }
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void close() {
      lock.lock();
      try {
        if (!ended) {
          ended = true;
          calls.remove(this);
          (sends ? sending : working).release(principal, 1);
          if (working.taken() + sending.taken() == 0) {
            idle.signalAll();
          }
        }
      } finally {
        lock.unlock();
      }
    }
  }

  /** Name of an operation that is not known yet. */
  static final String UNKNOWN = "unknown";

  private final Set<Call> calls = ConcurrentHashMap.newKeySet();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition idle = lock.newCondition(); // no request has a place

  /** Places for working. Changed under {@code lock} only. */
  private final Shares<Principal> working = new Shares<>();

  /** Places for sending. Changed under {@code lock} only. */
  private final Shares<Principal> sending = new Shares<>();

  private boolean stopped; // guarded by lock

  /**
   * Lets a request in.
   *
   * @throws ServiceRefusedException one of the bounds is reached
   */
  Call begin(Principal principal, String path, ServiceSettings settings)
      throws ServiceRefusedException {
    Principal who = withoutEnd(principal);
    lock.lock();
    try {
      if (stopped) {
        throw new ServiceRefusedException(Problem.Kind.BUSY, "This gateway is stopping.");
      }
      if (!working.take(who, 1, quota(settings))) {
        long own = working.of(who);
        throw own < settings.calls().perPrincipal()
            ? new ServiceRefusedException(Problem.Kind.BUSY, "Too many requests are in progress.")
            : new ServiceRefusedException(
                Problem.Kind.TOO_MANY,
                "You have " + own + " requests in progress, which is the limit.");
      }
      Call call = new Call(who, path);
      calls.add(call);
      return call;
    } finally {
      lock.unlock();
    }
  }

  private static Quota quota(ServiceSettings settings) {
    return Quota.of(settings.calls().all(), settings.calls().perPrincipal());
  }

  /** The principal without the end of its login. */
  private static Principal withoutEnd(Principal principal) {
    return new Principal(principal.name(), principal.scheme());
  }

  /** Refuses all requests from now on. */
  void stop() {
    lock.lock();
    try {
      stopped = true;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until there are none, but no longer than that. */
  void awaitIdle(Duration limit) throws InterruptedException {
    long left = limit.toNanos();
    lock.lock();
    try {
      while (working.taken() + sending.taken() > 0 && left > 0) {
        left = idle.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  /** The calls that wait for their remote object, each with the time since it was sent. */
  Stream<ServicesView.CallView> waiting() {
    return calls.stream()
        .filter(call -> call.waits)
        .map(
            call ->
                new ServicesView.CallView(
                    (System.nanoTime() - call.reachedNanos) / 1_000_000,
                    call.principal.name(),
                    call.path,
                    call.operation()));
  }

  /** The oldest first. */
  List<ServicesView.CallView> list() {
    return calls.stream()
        .map(
            call ->
                new ServicesView.CallView(
                    call.nanos() / 1_000_000, call.principal.name(), call.path, call.operation()))
        .sorted(Comparator.comparingLong(ServicesView.CallView::ageMillis).reversed())
        .toList();
  }
}

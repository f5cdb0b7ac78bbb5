package io.rmigate.gateway.limit;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One call's place within all {@link CallLimiter}s that hold for it; taken by all of them or by
 * none. Thread-safe.
 */
public final class CallPermit {
  /** The permit of a call without limits. */
  public static final CallPermit UNLIMITED = new CallPermit(List.of());

  /** A call is too much. */
  public record Refusal(CallLimiter limiter, CallLimiter.Bound bound) {}

  private final List<CallLimiter> limiters;
  private final AtomicBoolean over = new AtomicBoolean();

  private CallPermit(List<CallLimiter> limiters) {
    this.limiters = limiters;
  }

  /** Begins a call everywhere; what is too much, if anything is, and then it has begun nowhere. */
  public static Optional<Refusal> refusal(List<CallLimiter> limiters) {
    for (int i = 0; i < limiters.size(); i++) {
      CallLimiter limiter = limiters.get(i);
      Optional<CallLimiter.Bound> bound = limiter.begin();
      if (bound.isPresent()) {
        limiters.subList(0, i).forEach(CallLimiter::takeBack);
        return Optional.of(new Refusal(limiter, bound.get()));
      }
    }
    return Optional.empty();
  }

  /** The permit of a call that has begun in all these limiters. */
  public static CallPermit of(List<CallLimiter> limiters, int bytes) {
    if (limiters.isEmpty()) {
      return UNLIMITED;
    }
    CallPermit permit = new CallPermit(limiters);
    permit.carried(bytes);
    return permit;
  }

  /** More bytes of the call, or of its answer, pass. */
  public void carried(int bytes) {
    for (CallLimiter limiter : limiters) {
      limiter.carried(bytes);
    }
  }

  /** The call is answered, or will not be. Idempotent. */
  public void end() {
    if (this != UNLIMITED && over.compareAndSet(false, true)) {
      limiters.forEach(CallLimiter::end);
    }
  }
}

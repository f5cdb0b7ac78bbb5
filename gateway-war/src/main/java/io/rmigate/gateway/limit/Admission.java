package io.rmigate.gateway.limit;

import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The admission of one call that belongs to no session: it has begun, or a limit refuses it.
 * Thread-safe.
 */
public final class Admission {
  private static final Logger LOG = LoggerFactory.getLogger(Admission.class);

  private final Optional<String> refusedBy;
  private final CallPermit permit;

  private Admission(Optional<String> refusedBy, CallPermit permit) {
    this.refusedBy = refusedBy;
    this.permit = permit;
  }

  public static Admission to(List<CallLimiter> limiters, Caller caller) {
    Optional<CallPermit.Refusal> tooMuch = CallPermit.refusal(limiters);
    if (tooMuch.isEmpty()) {
      return new Admission(Optional.empty(), CallPermit.of(limiters, 0));
    }
    CallLimiter limiter = tooMuch.get().limiter();
    CallLimiter.Bound bound = tooMuch.get().bound();
    if (limiter.mayWriteLine()) {
      LOG.warn(
          "calls of web-service client {} are refused by {}.{}; logged at most once a minute",
          caller,
          limiter,
          bound.key());
    }
    return new Admission(Optional.of(bound.word()), CallPermit.UNLIMITED);
  }

  /** The limit by which it is too much, as metrics and audit call it; empty: it has begun. */
  public Optional<String> refusedBy() {
    return refusedBy;
  }

  /** Counts bytes of the call or of its answer. */
  public void carried(long bytes) {
    permit.carried((int) Math.min(Integer.MAX_VALUE, bytes));
  }

  /** The call is over. Idempotent. */
  public void end() {
    permit.end();
  }
}

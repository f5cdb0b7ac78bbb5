package io.rmigate.gateway.lease;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/**
 * When which call to one server is due: dirties for objects as they come, renewals by the lease,
 * cleans in between, and all of them after a pause when they have failed. Guarded by the session's
 * lock.
 */
final class CallSchedule {

  /** Between attempts when a lease may run of which it is not known how long it is. */
  private static final Duration PAUSE_FOR_UNKNOWN_TERM = Duration.ofSeconds(1);

  /** The longest duration that such a lease is assumed to have; the gateway asks for it. */
  static final Duration ASKED = Duration.ofMinutes(10);

  /** Several attempts have to fit into what a renewal leaves of a lease. */
  private static final int PAUSES_IN_TERM = 6;

  /**
   * A renewal that begins at a third may hang for another, and a clean before it for a half of one.
   */
  private static final int DIRTIES_IN_TERM = 3;

  private static final int CLEANS_IN_TERM = 6;

  /** The shortest time that a server has to answer, even for a short lease. */
  private static final Duration SHORTEST_CALL = Duration.ofSeconds(1);

  /** The JDK looks for leases that are over at half their length; leave room for twice that. */
  private static final int TERMS_UNTIL_SURELY_OVER = 2;

  private final LeaseClock clock;
  private final Duration callTimeout;
  private final RetryPause dirtyPause;
  private final RetryPause cleanPause;

  /** Null until the server has granted something. */
  private LeaseTerm term;

  /** When a lease may have begun anew for the last time; empty while none can have. */
  private OptionalLong latestPossibleDirty = OptionalLong.empty();

  /** So that neither dirties nor cleans can keep the others waiting for ever. */
  private boolean cleansTurn;

  CallSchedule(LeaseClock clock, Duration callTimeout) {
    this.clock = clock;
    this.callTimeout = callTimeout;
    this.dirtyPause = new RetryPause(clock.nanoTime());
    this.cleanPause = new RetryPause(clock.nanoTime());
  }

  /** The call that is to be made now. */
  Optional<LeaseCall.Kind> due(HeldObjects objects) {
    long now = clock.nanoTime();
    boolean dirty = isDirtyDue(objects) && dirtyPause.isOver(now);
    boolean clean = isCleanDue(objects) && cleanPause.isOver(now);
    if (dirty && !(clean && cleansTurn)) {
      return Optional.of(LeaseCall.Kind.DIRTY);
    }
    return clean ? Optional.of(LeaseCall.Kind.CLEAN) : Optional.empty();
  }

  private boolean isDirtyDue(HeldObjects objects) {
    return objects.dirtyWaits() || (objects.anyWanted() && term != null && term.isOverdue(clock));
  }

  /** While dirties fail cleans wait: one that hangs might outlast what is left of the lease. */
  private boolean isCleanDue(HeldObjects objects) {
    return objects.cleanWaits()
        && (dirtyPause.failures() == 0 || !(objects.anyWanted() || objects.dirtyWaits()));
  }

  /** When there may be something to do, on the monotonic clock; empty when nothing is to come. */
  OptionalLong wakeAtNanos(HeldObjects objects) {
    long now = clock.nanoTime();
    LongStream.Builder times = LongStream.builder();
    if (isDirtyDue(objects)) {
      times.add(dirtyPause.untilNanos() - now);
    } else if (objects.anyWanted() && term != null) {
      times.add(term.renewAtNanos() - now);
    }
    if (isCleanDue(objects)) {
      times.add(cleanPause.untilNanos() - now);
    }
    OptionalLong first = times.build().min();
    return first.isPresent() ? OptionalLong.of(now + first.getAsLong()) : first;
  }

  /** A client has just heard of the server: no pause is worth while. */
  void cutDirtyPauseShort() {
    dirtyPause.cutShort(clock.nanoTime());
  }

  void begun(LeaseCall.Kind kind) {
    cleansTurn = kind == LeaseCall.Kind.DIRTY;
  }

  /** How long a call may take: one that hangs must not keep all others from a lease that ends. */
  Duration callTimeout(LeaseCall.Kind kind) {
    if (term == null) {
      return callTimeout;
    }
    Duration part =
        term.granted().dividedBy(kind == LeaseCall.Kind.DIRTY ? DIRTIES_IN_TERM : CLEANS_IN_TERM);
    return shorter(part.compareTo(SHORTEST_CALL) < 0 ? SHORTEST_CALL : part, callTimeout);
  }

  void succeeded(LeaseCall call, LeaseCall.End how) {
    if (how instanceof LeaseCall.Granted granted) {
      term = LeaseTerm.of(call.fromNanos(), call.fromMillis(), granted.millis());
      latestPossibleDirty = OptionalLong.of(clock.nanoTime());
    }
    pause(call.kind()).succeeded(clock.nanoTime());
  }

  void notTried(LeaseCall.Kind kind) {
    pauseAfterFailure(kind);
  }

  void failed(LeaseCall.Kind kind, boolean perhapsGranted) {
    if (perhapsGranted) {
      latestPossibleDirty = OptionalLong.of(clock.nanoTime());
    }
    pauseAfterFailure(kind);
  }

  private void pauseAfterFailure(LeaseCall.Kind kind) {
    Duration longest = kind == LeaseCall.Kind.DIRTY ? longestDirtyPause() : RetryPause.LONGEST;
    pause(kind).failed(clock.nanoTime(), longest);
  }

  private RetryPause pause(LeaseCall.Kind kind) {
    return kind == LeaseCall.Kind.DIRTY ? dirtyPause : cleanPause;
  }

  /**
   * Short enough for several attempts before a lease that may be running is over. To a server that
   * answers that makes twice as many calls as renewals do.
   */
  private Duration longestDirtyPause() {
    if (term != null) {
      return shorter(term.granted().dividedBy(PAUSES_IN_TERM), RetryPause.LONGEST);
    }
    return latestPossibleDirty.isPresent() ? PAUSE_FOR_UNKNOWN_TERM : RetryPause.LONGEST;
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /** Whether there is a lease that may have ended. */
  boolean hasLapsed() {
    return term != null && term.mayBeOver(clock);
  }

  /** Whether the server may know of nothing that we hold. */
  boolean leaseMayBeOver() {
    return term == null || term.mayBeOver(clock);
  }

  /** Whether the server surely has no lease of ours any more. */
  boolean leaseIsSurelyOver() {
    if (latestPossibleDirty.isEmpty()) {
      return true;
    }
    Duration length = term == null ? ASKED : term.granted();
    return clock.nanoTime() - latestPossibleDirty.getAsLong()
        > length.multipliedBy(TERMS_UNTIL_SURELY_OVER).toNanos();
  }

  int cleanFailures() {
    return cleanPause.failures();
  }

  /** Calls that failed since the last of their kind that went well. */
  int failures() {
    return dirtyPause.failures() + cleanPause.failures();
  }

  /** 0 until the server has granted something. */
  long grantedMillis() {
    return term == null ? 0 : term.granted().toMillis();
  }

  /** 0 when it is due, -1 when none is to come. */
  long renewalInMillis(HeldObjects objects) {
    if (term == null || !objects.anyWanted()) {
      return -1;
    }
    return Math.max(0, Duration.ofNanos(term.renewAtNanos() - clock.nanoTime()).toMillis());
  }
}

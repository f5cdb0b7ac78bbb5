package io.rmigate.gateway.lease;

import io.rmigate.gateway.quota.Quota;
import io.rmigate.gateway.quota.Shares;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How many objects each principal's sessions hold, and how many of those belong to sessions that
 * have ended and are kept for the grace time only. Thread-safe; its lock is the last to be taken.
 *
 * <p>When too much is kept for sessions that have ended, the principal that has most of it loses it
 * first, the oldest session before the others: no principal's grace ends for the sake of another.
 */
final class LeaseAccounts {
  private final Quota quota;
  private final long maxLingering;

  private final Shares<String> held = new Shares<>();
  private final Shares<String> lingering = new Shares<>();
  private final ReentrantLock lock = new ReentrantLock();

  /**
   * Sessions that have ended, by principal, the oldest first, with what they hold. Guarded by
   * {@code lock}.
   */
  private final Map<String, Map<SessionLeases, Integer>> ended = new HashMap<>();

  /**
   * @param maxPerPrincipal objects that one principal may hold
   * @param maxLingering objects, of all principals, that may be kept for sessions that have ended
   */
  LeaseAccounts(int maxPerPrincipal, long maxLingering) {
    this.quota = Quota.ofEach(maxPerPrincipal);
    this.maxLingering = maxLingering;
  }

  /**
   * One object more.
   *
   * @return false if that is too many
   */
  boolean take(String principal) {
    return held.take(principal, 1, quota);
  }

  /** Subtracts one object of the session from the account. */
  void give(String principal, SessionLeases session) {
    lock.lock();
    try {
      held.release(principal, 1);
      Map<SessionLeases, Integer> sessions = ended.get(principal);
      if (sessions != null
          && sessions.computeIfPresent(session, (same, objects) -> objects - 1) != null) {
        lingering.release(principal, 1);
      }
    } finally {
      lock.unlock();
    }
  }

  /** A session has ended, and these objects of it are kept. */
  void linger(String principal, SessionLeases session, int objects) {
    lock.lock();
    try {
      if (objects > 0) {
        ended.computeIfAbsent(principal, first -> new LinkedHashMap<>()).put(session, objects);
        lingering.takeAnyway(principal, objects);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Removes the account of a session whose grace has ended; its leases are being released. */
  void endGrace(String principal, SessionLeases session) {
    lock.lock();
    try {
      removeLocked(principal, session);
    } finally {
      lock.unlock();
    }
  }

  private void removeLocked(String principal, SessionLeases session) {
    Map<SessionLeases, Integer> sessions = ended.get(principal);
    Integer objects = sessions == null ? null : sessions.remove(session);
    if (objects != null) {
      lingering.release(principal, objects);
      if (sessions.isEmpty()) {
        ended.remove(principal);
      }
    }
  }

  /** A session that has to lose its grace, and does not count any more; empty if none has to. */
  Optional<SessionLeases> takeOneTooMany() {
    lock.lock();
    try {
      if (lingering.taken() <= maxLingering) {
        return Optional.empty();
      }
      String largest = lingering.greediest().orElseThrow();
      SessionLeases oldest = ended.get(largest).keySet().iterator().next();
      removeLocked(largest, oldest);
      return Optional.of(oldest);
    } finally {
      lock.unlock();
    }
  }

  /** Objects that are kept for sessions that have ended. */
  long lingering() {
    return lingering.taken();
  }

  /** Principals that hold something, or have sessions that have ended and may. */
  int principals() {
    lock.lock();
    try {
      return Math.max(held.holders(), ended.size());
    } finally {
      lock.unlock();
    }
  }
}

package io.rmigate.gateway.lease;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How many objects each principal's sessions hold, and how many of those belong to sessions that
 * have ended and are kept for the grace time only. Thread-safe; its lock is the last to be taken.
 *
 * <p>When too much is kept for sessions that have ended, whoever has most of it loses it first, the
 * oldest session before the others: nobody's grace ends for another's sake.
 */
final class LeaseAccounts {
  private final int maxPerPrincipal;
  private final long maxLingering;

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Account> byPrincipal = new HashMap<>();
  private long lingering;

  /**
   * @param maxPerPrincipal objects that one principal may hold
   * @param maxLingering objects, of all principals, that may be kept for sessions that have ended
   */
  LeaseAccounts(int maxPerPrincipal, long maxLingering) {
    this.maxPerPrincipal = maxPerPrincipal;
    this.maxLingering = maxLingering;
  }

  /** What the sessions of one principal hold together. */
  private static final class Account {
    long held;
    long lingering;

    /** Sessions that have ended, the oldest first, with what they hold. */
    final Map<SessionLeases, Integer> ended = new LinkedHashMap<>();
  }

  /**
   * One object more.
   *
   * @return false if that is too many
   */
  boolean take(String principal) {
    lock.lock();
    try {
      Account account = byPrincipal.computeIfAbsent(principal, missing -> new Account());
      if (account.held >= maxPerPrincipal) {
        return false;
      }
      account.held++;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** One object of that session less. */
  void give(String principal, SessionLeases session) {
    lock.lock();
    try {
      Account account = byPrincipal.get(principal);
      account.held--;
      if (account.ended.computeIfPresent(session, (same, objects) -> objects - 1) != null) {
        account.lingering--;
        lingering--;
      }
      forgetIfEmpty(principal, account);
    } finally {
      lock.unlock();
    }
  }

  /** A session has ended, and these objects of it are kept. */
  void linger(String principal, SessionLeases session, int objects) {
    lock.lock();
    try {
      if (objects > 0) {
        Account account = byPrincipal.get(principal);
        account.ended.put(session, objects);
        account.lingering += objects;
        lingering += objects;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Nothing is kept for that session any more; what it still holds is being released. */
  void endGrace(String principal, SessionLeases session) {
    lock.lock();
    try {
      Account account = byPrincipal.get(principal);
      if (account != null) {
        removeLocked(account, session);
        forgetIfEmpty(principal, account);
      }
    } finally {
      lock.unlock();
    }
  }

  private void removeLocked(Account account, SessionLeases session) {
    Integer objects = account.ended.remove(session);
    if (objects != null) {
      account.lingering -= objects;
      lingering -= objects;
    }
  }

  /** A session that has to lose its grace, and does not count any more; empty if none has to. */
  Optional<SessionLeases> takeOneTooMany() {
    lock.lock();
    try {
      if (lingering <= maxLingering) {
        return Optional.empty();
      }
      Account largest =
          byPrincipal.values().stream()
              .max(Comparator.comparingLong(account -> account.lingering))
              .orElseThrow();
      SessionLeases oldest = largest.ended.keySet().iterator().next();
      removeLocked(largest, oldest);
      return Optional.of(oldest);
    } finally {
      lock.unlock();
    }
  }

  private void forgetIfEmpty(String principal, Account account) {
    if (account.held == 0 && account.ended.isEmpty()) {
      byPrincipal.remove(principal);
    }
  }

  /** Objects that are kept for sessions that have ended. */
  long lingering() {
    lock.lock();
    try {
      return lingering;
    } finally {
      lock.unlock();
    }
  }

  /** Principals of whom something is known. */
  int principals() {
    lock.lock();
    try {
      return byPrincipal.size();
    } finally {
      lock.unlock();
    }
  }
}

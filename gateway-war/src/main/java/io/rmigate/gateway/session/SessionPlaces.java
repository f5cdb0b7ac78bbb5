package io.rmigate.gateway.session;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How many sessions there are that have been let in, in all and of each principal, and whether
 * there may be one more ({@link SessionSettings#maxSessions}, {@link
 * SessionSettings#maxSessionsPerPrincipal}). Thread-safe.
 *
 * <p>Lock: {@code lock} guards the numbers; nothing is taken under it.
 */
final class SessionPlaces {
  private final SessionSettings settings;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Integer> takenByPrincipal = new HashMap<>();
  private int taken;

  SessionPlaces(SessionSettings settings) {
    this.settings = settings;
  }

  /** Takes a place for a session of that principal, if there is one. */
  boolean take(String principal) {
    lock.lock();
    try {
      int own = takenByPrincipal.getOrDefault(principal, 0);
      if (taken >= settings.maxSessions() || own >= settings.maxSessionsPerPrincipal()) {
        return false;
      }
      taken++;
      takenByPrincipal.put(principal, own + 1);
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** One of that principal's is free again, once for each that was taken. */
  void giveBack(String principal) {
    lock.lock();
    try {
      taken--;
      takenByPrincipal.computeIfPresent(principal, (name, count) -> count == 1 ? null : count - 1);
    } finally {
      lock.unlock();
    }
  }
}

package io.rmigate.gateway.login;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Whose password is looked at next. Who waits has a thread of the container, of which there must be
 * left for everybody who has logged in, and for who asks how the gateway is: so few wait, and of
 * one address no more than three times as many as there is then still room for (THREATS T38).
 * Thread-safe.
 */
final class LoginTurns {
  /** A third of the threads that containers have. */
  static final int MOST_WAITING = 64;

  private static final int OF_ROOM = 3;

  private final Semaphore hashing;
  private final Duration patience;

  private final ReentrantLock lock = new ReentrantLock();

  /** Those that wait, by owner of their address. Guarded by {@code lock}. */
  private final Map<String, Integer> waiting = new HashMap<>();

  /** Owners of addresses with a login that began locked out. Guarded by {@code lock}. */
  private final Set<String> locked = new HashSet<>();

  /** Guarded by {@code lock}. */
  private int all;

  /**
   * @param hashing has a permit for each hash that may be computed at a time
   * @param patience how long anybody waits
   */
  LoginTurns(Semaphore hashing, Duration patience) {
    this.hashing = hashing;
    this.patience = patience;
  }

  /**
   * Waits for a processor.
   *
   * @param owner of the address from where the login comes
   * @return whether it has one, which {@link #end} gives back; false when too many wait already, or
   *     none became free in time
   */
  boolean begin(String owner) {
    if (hashing.tryAcquire()) {
      return true;
    }
    if (!enter(owner)) {
      return false;
    }
    try {
      return hashing.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      leave(owner);
    }
  }

  /** The password has been looked at. */
  void end() {
    hashing.release();
  }

  /**
   * Waits for a processor for a login that is locked out. Of one address there is one such login at
   * a time, because its hash only takes time: others must not wait for it.
   *
   * @param owner of the address from where the login comes
   * @return whether it has a processor, which {@link #endLocked} gives back
   */
  boolean beginLocked(String owner) {
    if (!addLocked(owner)) {
      return false;
    }
    boolean begun = false;
    try {
      begun = begin(owner);
      return begun;
    } finally {
      if (!begun) {
        removeLocked(owner);
      }
    }
  }

  /** The hash of a login that is locked out has been computed. */
  void endLocked(String owner) {
    end();
    removeLocked(owner);
  }

  private boolean addLocked(String owner) {
    lock.lock();
    try {
      return locked.add(owner);
    } finally {
      lock.unlock();
    }
  }

  private void removeLocked(String owner) {
    lock.lock();
    try {
      locked.remove(owner);
    } finally {
      lock.unlock();
    }
  }

  private boolean enter(String owner) {
    lock.lock();
    try {
      int room = MOST_WAITING - all;
      if (room == 0 || waiting.getOrDefault(owner, 0) >= OF_ROOM * room) {
        return false;
      }
      waiting.merge(owner, 1, Integer::sum);
      all++;
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void leave(String owner) {
    lock.lock();
    try {
      waiting.computeIfPresent(owner, (any, had) -> had == 1 ? null : had - 1);
      all--;
    } finally {
      lock.unlock();
    }
  }
}

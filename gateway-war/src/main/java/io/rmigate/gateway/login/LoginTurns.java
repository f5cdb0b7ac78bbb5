package io.rmigate.gateway.login;

import io.rmigate.gateway.quota.Quota;
import io.rmigate.gateway.quota.Shares;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Chooses the login whose password is checked next. A login that waits has a thread of the
 * container, of which there must be left for everybody who has logged in, and for who asks how the
 * gateway is: so few wait, and of one address no more than three times as many as there is then
 * still room for (THREATS T38). Thread-safe.
 */
final class LoginTurns {
  /** Logins that wait: a third of the threads that containers have. */
  static final Quota WAITING = Quota.threeQuarters(64);

  /** Logins that are locked out, and are looked at. */
  private static final Quota LOCKED = Quota.ofEach(1);

  private final Semaphore hashing;
  private final Duration patience;

  /** By owner of the address. */
  private final Shares<String> waiting = new Shares<>();

  /** Logins that began locked out, by owner of the address. */
  private final Shares<String> locked = new Shares<>();

  /**
   * @param hashing has a permit for each hash that may be computed at a time
   * @param patience how long a login waits
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
    if (!waiting.take(owner, 1, WAITING)) {
      return false;
    }
    try {
      return hashing.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      waiting.release(owner, 1);
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
    if (!locked.take(owner, 1, LOCKED)) {
      return false;
    }
    boolean begun = false;
    try {
      begun = begin(owner);
      return begun;
    } finally {
      if (!begun) {
        locked.release(owner, 1);
      }
    }
  }

  /** The hash of a login that is locked out has been computed. */
  void endLocked(String owner) {
    end();
    locked.release(owner, 1);
  }
}

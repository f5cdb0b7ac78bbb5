package io.rmigate.gateway.session;

import io.rmigate.gateway.policy.Objection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whoever tries one thing after the other is let do nothing any more. What counts is how many
 * different things a session was refused: an honest application that needs a rule is refused the
 * same again and again, a guesser of methods or classes never. Objects and references do not count:
 * an honest client has as many stale ones as it had stubs when its session was lost. Thread-safe.
 */
final class Lockout {
  private static final Logger LOG = LoggerFactory.getLogger(Lockout.class);
  private static final int MOST_DIFFERENT = 20;

  private final TunnelSession session;
  private final ReentrantLock lock = new ReentrantLock();
  private final Set<String> refused = new HashSet<>();
  private volatile boolean on;

  Lockout(TunnelSession session) {
    this.session = session;
  }

  /** A call of the session has been refused. */
  void onRefused(Objection objection) {
    if (objection.rule() == Objection.Rule.OBJECT || objection.rule() == Objection.Rule.REFERENCE) {
      return;
    }
    boolean begins;
    lock.lock();
    try {
      begins = !on && refused.add(objection.reason()) && refused.size() == MOST_DIFFERENT;
      on |= begins;
    } finally {
      lock.unlock();
    }
    if (begins) {
      LOG.warn(
          "{} of {} was refused {} different things: nothing of it is let through any more",
          session.id(),
          session.principal(),
          MOST_DIFFERENT);
    }
  }

  /** Whether nothing of the session is let through any more. */
  boolean isOn() {
    return on;
  }
}

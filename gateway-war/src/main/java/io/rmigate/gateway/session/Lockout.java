package io.rmigate.gateway.session;

import io.rmigate.gateway.policy.Objection;

/**
 * What one session has to say to {@link Lockouts}. Objects and references do not count: an honest
 * client has as many stale ones as it had stubs when its session was lost. Thread-safe.
 */
final class Lockout {
  private final TunnelSession session;

  Lockout(TunnelSession session) {
    this.session = session;
  }

  /** A call of the session has been refused. */
  void onRefused(Objection objection) {
    if (objection.rule() != Objection.Rule.OBJECT && objection.rule() != Objection.Rule.REFERENCE) {
      lockouts().onRefused(session.caller(), objection.reason());
    }
  }

  /** A name of a registry has been refused. */
  void onRefusedName(String name) {
    lockouts().onRefused(session.caller(), "name " + Objection.printable(name));
  }

  /** Whether nothing of the session is let through any more. */
  boolean isOn() {
    return lockouts().isOn(session.caller());
  }

  private Lockouts lockouts() {
    return session.policy().lockouts();
  }
}

package io.rmigate.gateway.session;

import io.rmigate.gateway.limit.Lockouts;
import io.rmigate.gateway.policy.Objection;
import io.rmigate.protocol.jrmp.RegistryOperation;
import java.util.Arrays;

/**
 * What one session has to say to {@link Lockouts}. Of objects and references an honest client has
 * as many stale ones as it had stubs when its session was lost, of targets as many as its JVM dials
 * where everything is to go through the tunnel. What its agent has declared that it holds, and
 * cannot show that it was given, does not count: it is refused, and reaches no server. Thread-safe.
 */
final class Lockout {
  private final TunnelSession session;

  Lockout(TunnelSession session) {
    this.session = session;
  }

  /** A call of the session has been refused. */
  void onRefused(Objection objection) {
    boolean ofObject = objection.rule() == Objection.Rule.OBJECT;
    if (ofObject && session.knowledge().received().isStale(objection.subject())) {
      return;
    }
    if (ofObject || objection.rule() == Objection.Rule.REFERENCE) {
      lockouts().onRefusedManifold(session.caller(), objection.reason());
    } else {
      lockouts().onRefused(session.caller(), objection.reason());
    }
  }

  /** A name of a registry has been refused. */
  void onRefusedName(String name) {
    refused("name " + Objection.printable(name));
  }

  /**
   * A target has been refused: who tries very many looks for what may be reached. An honest client
   * tries some: whatever its JVM dials may come here, and that policy does not list it is all that
   * it hears.
   */
  void onRefusedTarget(String target) {
    lockouts().onRefusedManifold(session.caller(), "target " + Objection.printable(target));
  }

  /** Likewise of a raw stream, for which any socket of a client's JVM may ask. */
  void onRefusedRawTarget(String target) {
    lockouts().onRefusedManifold(session.caller(), "raw " + Objection.printable(target));
  }

  /** Likewise of a host that has turned out to be one that no policy allows. */
  void onRefusedAddress(String target) {
    lockouts().onRefusedManifold(session.caller(), "address of " + Objection.printable(target));
  }

  /**
   * A call of the collector has been refused. Honest JVMs let go of what they took before the
   * gateway was started again, many at a time.
   */
  void onRefusedCollectorCall(String reason) {
    lockouts().onRefusedManifold(session.caller(), "collector " + Objection.printable(reason));
  }

  /** An operation of a registry has been refused. */
  void onRefusedOperation(RegistryOperation operation, String target) {
    refused(operation + " at " + Objection.printable(target));
  }

  /** Something was no message, as no RMI runtime sends it. */
  void onMalformed(String reason, byte[] request) {
    refused("bad request " + Integer.toHexString(Arrays.hashCode(request)) + " " + reason);
  }

  private void refused(String what) {
    lockouts().onRefused(session.caller(), what);
  }

  /** Whether nothing of the session is let through any more. */
  boolean isOn() {
    return lockouts().isOn(session.caller());
  }

  private Lockouts lockouts() {
    return session.policy().lockouts();
  }
}

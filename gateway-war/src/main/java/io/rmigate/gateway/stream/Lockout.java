package io.rmigate.gateway.stream;

import io.rmigate.gateway.limit.Lockouts;
import io.rmigate.gateway.policy.rule.Objection;
import io.rmigate.gateway.route.ReceivedReferences;
import io.rmigate.protocol.jrmp.message.RegistryOperation;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;

/**
 * What one session has to say to {@link Lockouts}. Of objects and references an honest client has
 * as many stale ones as it had stubs when its session was lost, of targets as many as its JVM dials
 * where everything is to go through the tunnel, of classes, methods and names as many as rules are
 * missing. What its agent has declared that it holds, and cannot show that it was given, does not
 * count: it is refused, and reaches no server. Thread-safe.
 */
public final class Lockout {
  /** The doctor knows a refusal by policy by these words, too. */
  public static final String LOCKED_OUT =
      "rmigate: this is not permitted by the gateway's policy: locked out, because too many"
          + " different things that this principal has sent were refused; come back ";

  private final SessionStanding standing;
  private final ReceivedReferences received;

  /**
   * @param received what the session was given
   */
  public Lockout(SessionStanding standing, ReceivedReferences received) {
    this.standing = standing;
    this.received = received;
  }

  /**
   * A call of the session has been refused.
   *
   * @param target where the method is that it calls
   */
  void onRefused(Objection objection, String target) {
    if (objection.isOfUnknownMethod() && lockouts().hasKnownMethod(standing.caller(), target)) {
      refused(objection.reason());
    } else {
      onRefused(objection);
    }
  }

  /** An answer of the session's client has been refused, or a call that guesses no method. */
  public void onRefused(Objection objection) {
    boolean ofObject = objection.rule() == Objection.Rule.OBJECT;
    if (ofObject && received.isStale(objection.subject())) {
      return;
    }
    if (objection.isHostile()) {
      refused(objection.reason());
    } else {
      refusedManifold(objection.reason());
    }
  }

  /** A name of a registry has been refused. */
  public void onRefusedName(String name) {
    refusedManifold("name " + Objection.printable(name));
  }

  /**
   * A target has been refused: a caller that tries very many searches for reachable ones. An honest
   * client tries some, because each address that its JVM connects to may come here.
   */
  public void onRefusedTarget(String target) {
    refusedManifold("target " + Objection.printable(target));
  }

  /** A raw target has been refused, for which any socket of a client's JVM may ask. */
  void onRefusedRawTarget(String target) {
    refusedManifold("raw " + Objection.printable(target));
  }

  /** A host has been refused that has turned out to be one that no policy allows. */
  void onRefusedAddress(String target) {
    refusedManifold("address of " + Objection.printable(target));
  }

  /**
   * A call of the collector has been refused. Honest JVMs let go of what they took before the
   * gateway was started again, many at a time.
   */
  void onRefusedCollectorCall(String reason) {
    refusedManifold("collector " + Objection.printable(reason));
  }

  /** An operation of a registry has been refused. */
  public void onRefusedOperation(RegistryOperation operation, String target) {
    refusedManifold(operation + " at " + Objection.printable(target));
  }

  /** Something was no message, as no RMI runtime sends it. */
  void onMalformed(String reason, byte[] request) {
    refused("bad request " + Integer.toHexString(Arrays.hashCode(request)) + " " + reason);
  }

  private void refused(String what) {
    lockouts().onRefused(standing.caller(), what);
  }

  private void refusedManifold(String what) {
    lockouts().onRefusedManifold(standing.caller(), what);
  }

  /** The text for a client that is locked out: when to come back, and nothing about rules. */
  public String text() {
    return LOCKED_OUT
        + lockouts()
            .until(standing.caller())
            .map(until -> "after " + until.truncatedTo(ChronoUnit.SECONDS))
            .orElse("later");
  }

  /** Whether nothing of the session is let through any more. */
  public boolean isOn() {
    return lockouts().isOn(standing.caller());
  }

  private Lockouts lockouts() {
    return standing.policy().lockouts();
  }
}

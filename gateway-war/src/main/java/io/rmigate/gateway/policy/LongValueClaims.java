package io.rmigate.gateway.policy;

import io.rmigate.gateway.policy.rule.Objection;
import io.rmigate.gateway.quota.Share;
import java.util.List;

/**
 * The bytes that the long arrays and strings of one call claim. All such calls of a principal take
 * them from one share. Not thread-safe.
 */
final class LongValueClaims {
  /** The share of the principal has no room for further long arrays and strings. */
  static final List<Objection> TOO_MUCH =
      List.of(
          new Objection(
              Objection.Rule.UNREADABLE,
              "long calls of this principal under way claim more than"
                  + " long-calls.max-bytes-per-principal",
              ""));

  private final CallRules rules;
  private final Share share;
  private long taken;

  /** An objection was noted without being enforced; further claims are not judged. */
  private boolean noted;

  LongValueClaims(CallRules rules, Share share) {
    this.rules = rules;
    this.share = share;
  }

  /** The bytes taken from the share. */
  long taken() {
    return taken;
  }

  /** Takes the bytes up to this sum of all claims, and returns the objections to the sum. */
  List<Objection> judge(long claimed) {
    if (noted || claimed <= taken) {
      return List.of();
    }
    List<Objection> tooMuch = rules.claims(claimed);
    if (!tooMuch.isEmpty()) {
      noted = !rules.enforces();
      return tooMuch;
    }
    if (!share.take(claimed - taken, rules.longCalls().maxBytesPerPrincipal())) {
      noted = !rules.enforces();
      return rules.enforces() ? TOO_MUCH : List.of();
    }
    taken = claimed;
    return List.of();
  }

  /** Gives all bytes back to the share. Idempotent. */
  void release() {
    share.release(taken);
    taken = 0;
  }
}

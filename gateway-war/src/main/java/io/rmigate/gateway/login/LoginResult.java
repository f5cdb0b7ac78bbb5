package io.rmigate.gateway.login;

import io.rmigate.gateway.policy.Refusal;

/** What became of a login. */
public sealed interface LoginResult {

  /** Let in. */
  record Accepted(Principal principal) implements LoginResult {}

  /**
   * Turned away.
   *
   * @param reason for the log and nobody else; holds no secret
   * @param claimed who it was said to be; empty when nobody in particular
   * @param kind what kept it from being accepted
   * @param number of the refusal; empty where neither log nor audit is told of it
   */
  record Refused(String reason, String claimed, Kind kind, String number) implements LoginResult {

    /** With a number of its own. */
    public Refused(String reason, String claimed, Kind kind) {
      this(reason, claimed, kind, Refusal.of(reason).number());
    }

    /** Of a credential that names nobody. */
    public Refused(String reason) {
      this(reason, "", Kind.WRONG);
    }
  }

  /** Why somebody is turned away. */
  enum Kind {
    WRONG,
    /** Whatever the credential, for wrong ones before. */
    LOCKED,
    /** There was no time for a look at it: it may be right. */
    BUSY
  }
}

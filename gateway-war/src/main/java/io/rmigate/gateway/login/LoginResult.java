package io.rmigate.gateway.login;

import io.rmigate.gateway.policy.Refusal;

/** The result of a login. */
public sealed interface LoginResult {

  /** The login has succeeded. */
  record Accepted(Principal principal) implements LoginResult {}

  /**
   * The login is refused.
   *
   * @param reason for the log only; holds no secret
   * @param claimed the claimed name; empty if there was none
   * @param kind what kept it from being accepted
   * @param number of the refusal; empty where neither log nor audit is told of it
   */
  record Refused(String reason, String claimed, Kind kind, String number) implements LoginResult {

    /** With a number of its own. */
    public Refused(String reason, String claimed, Kind kind) {
      this(reason, claimed, kind, Refusal.of(reason).number());
    }

    /** Refuses a credential without a name. */
    public Refused(String reason) {
      this(reason, "", Kind.WRONG);
    }
  }

  /** The kind of a refusal. */
  enum Kind {
    WRONG,
    /** Each credential is refused because of wrong ones before. */
    LOCKED,
    /** There was no time for a look at it: it may be right. */
    BUSY
  }
}

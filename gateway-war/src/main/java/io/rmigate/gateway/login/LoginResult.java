package io.rmigate.gateway.login;

/** What became of a login. */
public sealed interface LoginResult {

  /** Let in. */
  record Accepted(Principal principal) implements LoginResult {}

  /**
   * Turned away.
   *
   * @param reason for the log and nobody else; holds no secret
   * @param claimed who it was said to be; empty when nobody in particular
   * @param locked whether it was refused without a look at the credential, for wrong ones before
   */
  record Refused(String reason, String claimed, boolean locked) implements LoginResult {

    /** Of a credential that names nobody. */
    public Refused(String reason) {
      this(reason, "", false);
    }
  }
}

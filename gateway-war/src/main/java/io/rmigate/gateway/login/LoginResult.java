package io.rmigate.gateway.login;

/** What became of a login. */
public sealed interface LoginResult {

  /** Let in. */
  record Accepted(Principal principal) implements LoginResult {}

  /**
   * Turned away.
   *
   * @param reason for the log and nobody else; holds no secret
   */
  record Refused(String reason) implements LoginResult {}
}

package io.rmigate.gateway.route;

import io.rmigate.protocol.jrmp.EndpointId;

/** Policy lets a call of the gateway's own go nowhere. The message is for people inside. */
public final class PolicyRefusal extends Exception {
  private static final long serialVersionUID = 1L;

  private final String rule;
  private final String endpoint;
  private final String advice;

  /**
   * @param rule as the audit calls it
   * @param endpoint that was to be called
   * @param advice what would allow it; empty where nothing is to be said of that
   */
  PolicyRefusal(String rule, EndpointId endpoint, String reason, String advice) {
    this(rule, endpoint.toString(), reason, advice);
  }

  private PolicyRefusal(String rule, String endpoint, String reason, String advice) {
    super(reason, null, false, false);
    this.rule = rule;
    this.endpoint = endpoint;
    this.advice = advice;
  }

  /**
   * The change of the configuration that would allow it, or another remedy; empty if none is known.
   */
  public String advice() {
    return advice;
  }

  /** The login of the caller has expired, which refuses calls to all targets. */
  public static PolicyRefusal expired() {
    return new PolicyRefusal("login-expired", "", "the login has expired", "log in anew");
  }

  public String rule() {
    return rule;
  }

  /** Empty: it is not about one. */
  public String endpoint() {
    return endpoint;
  }
}

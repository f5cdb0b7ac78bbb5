package io.rmigate.gateway.stream;

/** Texts for agents, of refusals that do not depend on the contents of a call. */
public final class RefusalTexts {
  public static final String LOGIN_EXPIRED = "the login of this session has expired";

  /** The audit file cannot be written. */
  public static final String NO_AUDIT = "the gateway cannot write its audit";

  /** A limit of calls is reached. */
  public static final String TOO_MUCH =
      "too many calls; nothing of this one has been executed, and it may be repeated";

  /** There is no memory for a call. */
  public static final String NO_ROOM =
      "there is no room to hold so long a call now; nothing of it has been executed, and it may"
          + " be repeated";

  public static final String NO_REGISTRY_OPERATION =
      "rmigate: this registry operation is not permitted by the gateway's policy";

  public static final String NO_REGISTRY_ANSWER =
      "rmigate: what the registry answers is not permitted by the gateway's policy";

  public static final String NO_JMX =
      "rmigate: what the registry answers is a connector of JMX, which the gateway's policy does"
          + " not permit (jmx in the gateway's configuration)";

  private RefusalTexts() {}
}

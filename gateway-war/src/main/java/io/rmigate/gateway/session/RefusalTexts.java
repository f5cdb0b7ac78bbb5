package io.rmigate.gateway.session;

/** Texts for agents, of what is refused whatever it carries. */
final class RefusalTexts {
  static final String LOGIN_EXPIRED = "the login of this session has expired";

  /** The audit file cannot be written. */
  static final String NO_AUDIT = "the gateway cannot write its audit";

  /** A limit of calls is reached. */
  static final String TOO_MUCH =
      "too many calls; nothing of this one has been executed, and it may be repeated";

  /** There is no memory for a call. */
  static final String NO_ROOM =
      "there is no room to hold so long a call now; nothing of it has been executed, and it may"
          + " be repeated";

  private RefusalTexts() {}
}

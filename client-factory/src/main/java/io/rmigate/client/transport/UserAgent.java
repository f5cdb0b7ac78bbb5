package io.rmigate.client.transport;

import java.util.Optional;

/** What we call ourselves to the gateway and to HTTP proxies, so that their logs can tell. */
final class UserAgent {
  /** From the jar's manifest; class directories have none. */
  static final String TEXT =
      "rmigate/"
          + Optional.ofNullable(UserAgent.class.getPackage().getImplementationVersion())
              .orElse("unpackaged");

  private UserAgent() {}
}

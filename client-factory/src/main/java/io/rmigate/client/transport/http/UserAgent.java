package io.rmigate.client.transport.http;

import java.util.Optional;

/** What we call ourselves to the gateway and to HTTP proxies, so that their logs can tell. */
public final class UserAgent {
  /** From the jar's manifest; class directories have none. */
  public static final String TEXT =
      "rmigate/"
          + Optional.ofNullable(UserAgent.class.getPackage().getImplementationVersion())
              .orElse("unpackaged");

  private UserAgent() {}
}

package io.rmigate.client.transport.http;

import java.util.Optional;

/** The agent's name for gateways and HTTP proxies, so that their logs can tell. */
public final class UserAgent {
  /** Name and version; the version is from the jar's manifest, which class directories lack. */
  public static final String TEXT =
      "rmigate/"
          + Optional.ofNullable(UserAgent.class.getPackage().getImplementationVersion())
              .orElse("unpackaged");

  private UserAgent() {}
}

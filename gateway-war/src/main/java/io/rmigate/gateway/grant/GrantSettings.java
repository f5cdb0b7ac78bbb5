package io.rmigate.gateway.grant;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How grants are sealed.
 *
 * @param keyFile keys that several gateways have in common; empty: one of this gateway's own
 * @param lifetime for how long a grant is good
 */
public record GrantSettings(Optional<Path> keyFile, Duration lifetime) {

  /** The shipped defaults. */
  public static final GrantSettings DEFAULTS =
      new GrantSettings(Optional.empty(), Duration.ofHours(24));
}

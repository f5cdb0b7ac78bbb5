package io.rmigate.gateway.login;

import io.rmigate.protocol.LogText;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * Who stands behind a session: the result of a login at the servlet edge, before the upgrade.
 *
 * @param name as policy and audit know it
 * @param scheme how it was proven
 * @param expires when the proof ends (a token's exp, a certificate's notAfter): no new call
 *     afterwards; empty when it does not
 */
public record Principal(String name, Scheme scheme, Optional<Instant> expires) {

  /** The ways to log in (DESIGN.md, Logins). */
  public enum Scheme {
    ANONYMOUS,
    BASIC,
    BEARER,
    CLIENT_CERTIFICATE,
    CONTAINER,
    /** By nothing but the configuration and where it comes from: a client that cannot log in. */
    CONFIGURED;

    /** As audit and logs have it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** Nobody in particular; exists only where the configuration allows it in so many words. */
  public static final Principal ANONYMOUS = new Principal("anonymous", Scheme.ANONYMOUS);

  public Principal {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(scheme, "scheme");
    Objects.requireNonNull(expires, "expires");
  }

  /** By a proof that does not expire. */
  public Principal(String name, Scheme scheme) {
    this(name, scheme, Optional.empty());
  }

  /** Whether it is the same one, whenever the proof ends. */
  public boolean isSameAs(Principal other) {
    return name.equals(other.name) && scheme == other.scheme;
  }

  /** The same, by several proofs of which the first to expire ends at {@code end}. */
  Principal until(Optional<Instant> end) {
    return new Principal(name, scheme, end);
  }

  /** Fit for a log, whatever characters whoever issues names lets into one. */
  @Override
  public String toString() {
    return LogText.of(name);
  }
}

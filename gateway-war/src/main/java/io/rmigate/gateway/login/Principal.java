package io.rmigate.gateway.login;

import io.rmigate.protocol.LogText;
import java.time.Instant;
import java.util.List;
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
 * @param proofs of all the credentials that there were; none where the container or the
 *     configuration alone says who it is
 */
public record Principal(String name, Scheme scheme, Optional<Instant> expires, List<Proof> proofs) {

  /** The ways to log in (gateway-war/README.md, Logins). */
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
    proofs = List.copyOf(proofs);
  }

  /** Without a word on what it rests on. */
  public Principal(String name, Scheme scheme, Optional<Instant> expires) {
    this(name, scheme, expires, List.of());
  }

  /** Likewise, for as long as anybody likes. */
  public Principal(String name, Scheme scheme) {
    this(name, scheme, Optional.empty());
  }

  /** Whether it is the same one, whenever the proof ends. */
  public boolean isSameAs(Principal other) {
    return name.equals(other.name) && scheme == other.scheme;
  }

  /** The same, by several proofs of which the first to expire ends at {@code end}. */
  Principal by(List<Proof> all, Optional<Instant> end) {
    return new Principal(name, scheme, end, all);
  }

  /** Fit for a log, whatever characters whoever issues names lets into one. */
  @Override
  public String toString() {
    return LogText.of(name);
  }
}

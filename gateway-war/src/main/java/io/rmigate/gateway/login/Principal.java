package io.rmigate.gateway.login;

import io.rmigate.protocol.LogText;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The identity of a session: the result of a login at the servlet edge, before the upgrade.
 *
 * @param name as policy and audit know it
 * @param scheme how it was proven
 * @param groups of which it is a member, as its login says
 * @param expires when the proof ends (a token's exp, a certificate's notAfter): no new call
 *     afterwards; empty when it does not
 * @param proofs of all the credentials that there were; none where the container or the
 *     configuration alone says who it is
 */
public record Principal(
    String name, Scheme scheme, Set<String> groups, Optional<Instant> expires, List<Proof> proofs) {

  /** In front of the name of a group, in lists of principals. */
  public static final String GROUP = "group:";

  /** The ways to log in (docs/how-to/logins.md). */
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

  /** A client without a login; only where the configuration allows it explicitly. */
  public static final Principal ANONYMOUS = new Principal("anonymous", Scheme.ANONYMOUS);

  public Principal {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(scheme, "scheme");
    Objects.requireNonNull(expires, "expires");
    groups = Set.copyOf(groups);
    proofs = List.copyOf(proofs);
  }

  /** Without a word on what it rests on. */
  public Principal(String name, Scheme scheme, Optional<Instant> expires) {
    this(name, scheme, Set.of(), expires, List.of());
  }

  /** A principal whose login does not expire, and rests on no proof. */
  public Principal(String name, Scheme scheme) {
    this(name, scheme, Optional.empty());
  }

  /** The principal that an entry of a list stands for: a name, or some member of a group. */
  public static Principal listed(String entry) {
    Principal named = new Principal(entry, Scheme.CONTAINER);
    return entry.startsWith(GROUP)
        ? named.by(Set.of(entry.substring(GROUP.length())), List.of(), Optional.empty())
        : named;
  }

  /** The groups that a list of principals names. */
  public static Set<String> groups(Collection<String> principals) {
    return principals.stream()
        .filter(entry -> entry.startsWith(GROUP))
        .map(entry -> entry.substring(GROUP.length()))
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Whether a list of principals has its name or one of its groups. A name that looks like a group
   * is none: who chooses names must not choose groups by that.
   */
  public boolean isNamedBy(Collection<String> principals) {
    return (principals.contains(name) && !name.startsWith(GROUP))
        || groups.stream().anyMatch(group -> principals.contains(GROUP + group));
  }

  /**
   * Whether it is the same one with the same groups, whenever the proof ends. Other groups have
   * other rights: what one login began, a login with others does not go on with.
   */
  public boolean isSameAs(Principal other) {
    return name.equals(other.name) && scheme == other.scheme && groups.equals(other.groups);
  }

  /** This principal without its proofs and their end. */
  public Principal withoutProofs() {
    return by(groups, List.of(), Optional.empty());
  }

  /** This principal by several proofs, of which the first to expire ends at {@code end}. */
  Principal by(Set<String> allGroups, List<Proof> all, Optional<Instant> end) {
    return new Principal(name, scheme, allGroups, end, all);
  }

  /** Fit for a log, even if the name has control characters. */
  @Override
  public String toString() {
    return LogText.of(name);
  }
}

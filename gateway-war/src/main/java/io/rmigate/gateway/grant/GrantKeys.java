package io.rmigate.gateway.grant;

import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;

/**
 * The keys of one gateway: the first one seals, all open. So a new key can be taken to all gateways
 * before any of them seals with it, and an old one stays until what it has sealed is over.
 *
 * @param all at least one
 */
public record GrantKeys(List<GrantKey> all) {
  /** More would only be carried along by mistake. */
  static final int MAX_KEYS = 16;

  public GrantKeys {
    all = List.copyOf(all);
    if (all.isEmpty() || all.size() > MAX_KEYS) {
      throw new IllegalArgumentException(all.size() + " keys");
    }
  }

  /** A random key that stays in this JVM. */
  public static GrantKeys random() {
    byte[] secret = new byte[GrantKey.BYTES];
    new SecureRandom().nextBytes(secret);
    return new GrantKeys(List.of(new GrantKey(secret)));
  }

  GrantKey sealing() {
    return all.get(0);
  }

  Optional<GrantKey> named(int id) {
    return all.stream().filter(key -> key.id() == id).findFirst();
  }
}

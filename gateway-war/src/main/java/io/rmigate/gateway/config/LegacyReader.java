package io.rmigate.gateway.config;

import io.rmigate.gateway.callback.InnerPeers;
import io.rmigate.gateway.config.ConfigNode.Entry;
import io.rmigate.gateway.config.ConfigNode.Scalar;
import io.rmigate.gateway.legacy.LegacySettings;
import java.util.List;
import java.util.Optional;

/** Reads {@code legacy}. One use, one thread. */
final class LegacyReader {
  private final ConfigValues values;

  LegacyReader(ConfigValues values) {
    this.values = values;
  }

  GatewayConfig.Legacy legacy() {
    Optional<Entry> section = values.section("legacy");
    Optional<String> principal = values.given(ConfigKey.LEGACY_PRINCIPAL).map(Scalar::text);
    ConfigKey from = ConfigKey.LEGACY_FROM;
    List<String> addresses = values.list(values.root(), from, from.path(), true);
    if (principal.isPresent() && !values.isGiven(from)) {
      values.problem(
          section.map(Entry::keyOrigin).orElse("default"),
          from.path(),
          "required with legacy.principal; allowed: " + from.allowed().text());
    }
    return new GatewayConfig.Legacy(
        values.flag(ConfigKey.LEGACY_ENABLED),
        values
            .given(ConfigKey.LEGACY_LISTEN)
            .map(value -> values.listen(ConfigKey.LEGACY_LISTEN, value)),
        new LegacySettings(
            principal,
            addresses.isEmpty() ? Optional.empty() : Optional.of(InnerPeers.of(addresses)),
            values.size(ConfigKey.LEGACY_MAX_BODY),
            values.count(ConfigKey.LEGACY_MAX_REQUESTS),
            values.duration(ConfigKey.LEGACY_PATIENCE),
            values.duration(ConfigKey.LEGACY_CALL_TIMEOUT),
            values.duration(ConfigKey.LEGACY_LEASE)));
  }
}

package io.rmigate.gateway.config;

import io.rmigate.gateway.callback.InnerPeers;
import io.rmigate.gateway.config.ConfigNode.Entry;
import io.rmigate.gateway.config.ConfigNode.Mapping;
import io.rmigate.gateway.config.ConfigNode.Scalar;
import io.rmigate.gateway.legacy.LegacySettings;
import java.util.List;
import java.util.Optional;

/** Reads {@code legacy} for a {@link ConfigReader}, which collects the problems. */
final class LegacyReader {
  private final ConfigReader reader;

  LegacyReader(ConfigReader reader) {
    this.reader = reader;
  }

  GatewayConfig.Legacy legacy(Mapping root) {
    Optional<Entry> section = reader.section("legacy");
    Optional<String> principal = reader.given(ConfigKey.LEGACY_PRINCIPAL).map(Scalar::text);
    ConfigKey from = ConfigKey.LEGACY_FROM;
    List<String> addresses = reader.list(root, from, from.path(), true);
    if (principal.isPresent() && !reader.isGiven(from)) {
      reader.problem(
          section.map(Entry::keyOrigin).orElse("default"),
          from.path(),
          "required with legacy.principal; allowed: " + from.allowed().text());
    }
    return new GatewayConfig.Legacy(
        reader.flag(ConfigKey.LEGACY_ENABLED),
        reader
            .given(ConfigKey.LEGACY_LISTEN)
            .map(value -> reader.listen(ConfigKey.LEGACY_LISTEN, value)),
        new LegacySettings(
            principal,
            addresses.isEmpty() ? Optional.empty() : Optional.of(InnerPeers.of(addresses)),
            reader.size(ConfigKey.LEGACY_MAX_BODY),
            reader.count(ConfigKey.LEGACY_MAX_REQUESTS),
            reader.duration(ConfigKey.LEGACY_PATIENCE),
            reader.duration(ConfigKey.LEGACY_CALL_TIMEOUT),
            reader.duration(ConfigKey.LEGACY_LEASE)));
  }
}

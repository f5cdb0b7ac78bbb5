package io.rmigate.gateway.config;

import io.rmigate.gateway.audit.AuditEvent;
import io.rmigate.gateway.audit.AuditSettings;
import io.rmigate.gateway.config.ConfigNode.Entry;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Reads the section {@code audit}. One use, one thread. */
final class AuditReader {
  private final ConfigValues values;

  AuditReader(ConfigValues values) {
    this.values = values;
  }

  /** Empty: there is to be none. */
  Optional<AuditSettings> settings() {
    Optional<Entry> section = values.section("audit");
    if (section.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new AuditSettings(
            path(section.get().keyOrigin()),
            values.size(ConfigKey.AUDIT_ROTATE_SIZE),
            values.duration(ConfigKey.AUDIT_ROTATE_AGE),
            values.count(ConfigKey.AUDIT_KEEP),
            values.flag(ConfigKey.AUDIT_CHAIN),
            events(),
            AuditSettings.WhenFull.valueOf(
                values.choice(ConfigKey.AUDIT_WHEN_FULL).toUpperCase(Locale.ROOT))));
  }

  private Path path(String origin) {
    ConfigKey key = ConfigKey.AUDIT_PATH;
    return values
        .required(key, origin)
        .flatMap(value -> values.path(key, value))
        .orElse(values.directory());
  }

  private Set<AuditEvent> events() {
    ConfigKey key = ConfigKey.AUDIT_EVENTS;
    List<String> words = values.list(values.root(), key, key.path(), true);
    if (words.isEmpty()) {
      return EnumSet.allOf(AuditEvent.class);
    }
    Set<AuditEvent> events = EnumSet.noneOf(AuditEvent.class);
    words.forEach(word -> AuditEvent.of(word).ifPresent(events::add));
    return events;
  }
}

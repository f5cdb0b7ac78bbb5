package io.rmigate.gateway.config;

import io.rmigate.gateway.audit.AuditEvent;
import io.rmigate.gateway.audit.AuditSettings;
import io.rmigate.gateway.config.ConfigNode.Entry;
import io.rmigate.gateway.config.ConfigNode.Mapping;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Reads the section {@code audit}. One use, one thread. */
final class AuditReader {
  private final ConfigReader reader;
  private final Path directory;

  AuditReader(ConfigReader reader, Path directory) {
    this.reader = reader;
    this.directory = directory;
  }

  /** Empty: there is to be none. */
  Optional<AuditSettings> settings(Mapping root) {
    Optional<Entry> section = reader.section("audit");
    if (section.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new AuditSettings(
            path(section.get().keyOrigin()),
            reader.size(ConfigKey.AUDIT_ROTATE_SIZE),
            reader.duration(ConfigKey.AUDIT_ROTATE_AGE),
            reader.count(ConfigKey.AUDIT_KEEP),
            reader.flag(ConfigKey.AUDIT_CHAIN),
            events(root),
            AuditSettings.WhenFull.valueOf(
                reader.choice(ConfigKey.AUDIT_WHEN_FULL).toUpperCase(Locale.ROOT))));
  }

  private Path path(String origin) {
    ConfigKey key = ConfigKey.AUDIT_PATH;
    return reader
        .required(key, origin)
        .flatMap(
            value -> {
              try {
                return Optional.of(directory.resolve(value.text()).normalize());
              } catch (InvalidPathException e) {
                reader.notAllowed(key, value, "is not a file name");
                return Optional.empty();
              }
            })
        .orElse(directory);
  }

  private Set<AuditEvent> events(Mapping root) {
    ConfigKey key = ConfigKey.AUDIT_EVENTS;
    List<String> words = reader.list(root, key, key.path(), true);
    if (words.isEmpty()) {
      return EnumSet.allOf(AuditEvent.class);
    }
    Set<AuditEvent> events = EnumSet.noneOf(AuditEvent.class);
    words.forEach(word -> AuditEvent.of(word).ifPresent(events::add));
    return events;
  }
}

package io.rmigate.gateway.config;

import io.rmigate.gateway.config.ConfigNode.Entry;
import io.rmigate.gateway.config.ConfigNode.Mapping;
import io.rmigate.gateway.config.ConfigNode.Scalar;
import io.rmigate.gateway.policy.ClassMode;
import io.rmigate.gateway.policy.ClassPattern;
import io.rmigate.gateway.policy.ClassSettings;
import io.rmigate.gateway.policy.EntryRules;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Reads {@code classes}, and what entries of {@code targets} say about calls. One use, one thread.
 */
final class PolicyReader {
  private final ConfigValues values;

  PolicyReader(ConfigValues values) {
    this.values = values;
  }

  ClassSettings classes() {
    if (values.section("classes").isEmpty()) {
      return ClassSettings.NONE;
    }
    return new ClassSettings(
        Optional.of(mode(values.choice(ConfigKey.CLASSES_MODE))),
        patterns(values.root(), ConfigKey.CLASSES_ALLOW, ConfigKey.CLASSES_ALLOW.path()),
        values.list(values.root(), ConfigKey.CLASSES_OPAQUE, ConfigKey.CLASSES_OPAQUE.path(), true),
        values.given(ConfigKey.CLASSES_INTERFACES).flatMap(this::jars),
        values.size(ConfigKey.CLASSES_CALL_LIMIT));
  }

  private static ClassMode mode(String word) {
    return ClassMode.valueOf(word.toUpperCase(Locale.ROOT));
  }

  private Optional<Path> jars(Scalar value) {
    try {
      Path jars = values.directory().resolve(value.text()).normalize();
      if (Files.isDirectory(jars)) {
        return Optional.of(jars);
      }
    } catch (InvalidPathException none) {
      // reported like one that is not there
    }
    values.notAllowed(ConfigKey.CLASSES_INTERFACES, value, "is no directory");
    return Optional.empty();
  }

  EntryRules entry(Mapping item, String at) {
    Optional<ClassMode> mode =
        value(
                item,
                ConfigKey.TARGETS_CLASS_MODE,
                at,
                ConfigKey.TARGETS_CLASS_MODE.allowed().names())
            .map(PolicyReader::mode);
    return new EntryRules(
        mode,
        patterns(item, ConfigKey.TARGETS_CLASSES, at + ".classes"),
        values.list(item, ConfigKey.TARGETS_OPAQUE, at + ".opaque", true),
        values.list(item, ConfigKey.TARGETS_REFERENCES, at + ".references", true),
        values.list(item, ConfigKey.TARGETS_NAMES, at + ".names", true),
        limit(item, at),
        flag(item, ConfigKey.TARGETS_STREAM, at),
        flag(item, ConfigKey.TARGETS_JMX, at),
        flag(item, ConfigKey.TARGETS_RECEIVED_OBJECTS, at));
  }

  private List<ClassPattern> patterns(Mapping item, ConfigKey key, String path) {
    return values.list(item, key, path, true).stream()
        .flatMap(text -> ClassPattern.parse(text).stream())
        .toList();
  }

  private boolean flag(Mapping item, ConfigKey key, String at) {
    return value(item, key, at, List.of("true", "false")).filter("true"::equals).isPresent();
  }

  private OptionalInt limit(Mapping item, String at) {
    ConfigKey key = ConfigKey.TARGETS_CALL_LIMIT;
    Entry entry = item.entries().get(key.lastName());
    if (entry == null) {
      return OptionalInt.empty();
    }
    OptionalLong bytes =
        entry.value() instanceof Scalar value
            ? Units.bytes(value.text().strip())
            : OptionalLong.empty();
    if (bytes.isPresent()
        && bytes.getAsLong() >= key.allowed().min()
        && bytes.getAsLong() <= key.allowed().max()) {
      return OptionalInt.of((int) bytes.getAsLong());
    }
    bad(entry, key, at);
    return OptionalInt.empty();
  }

  private Optional<String> value(Mapping item, ConfigKey key, String at, List<String> words) {
    Entry entry = item.entries().get(key.lastName());
    if (entry == null) {
      return Optional.empty();
    }
    if (entry.value() instanceof Scalar value && words.contains(value.text().strip())) {
      return Optional.of(value.text().strip());
    }
    bad(entry, key, at);
    return Optional.empty();
  }

  private void bad(Entry entry, ConfigKey key, String at) {
    values.problem(
        entry.value().origin(),
        at + "." + key.lastName(),
        entry.value().kind() + " will not do; allowed: " + key.allowed().text());
  }
}

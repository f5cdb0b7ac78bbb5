package io.rmigate.gateway.config;

import io.rmigate.gateway.config.ConfigNode.Entry;
import io.rmigate.gateway.config.ConfigNode.Mapping;
import io.rmigate.gateway.config.ConfigNode.Scalar;
import io.rmigate.gateway.config.ConfigNode.Sequence;
import io.rmigate.gateway.policy.ClassMode;
import io.rmigate.gateway.policy.ClassSettings;
import io.rmigate.gateway.policy.Codebases;
import io.rmigate.gateway.policy.EntryRules;
import io.rmigate.gateway.policy.JmxAccess;
import io.rmigate.gateway.policy.JmxGrant;
import io.rmigate.gateway.policy.LongCallSettings;
import io.rmigate.gateway.policy.MessageBound;
import io.rmigate.gateway.policy.RemoteMethods;
import io.rmigate.gateway.policy.type.ClassPattern;
import io.rmigate.gateway.policy.type.MethodPattern;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/**
 * Reads {@code classes}, and what entries of {@code targets} say about calls. One use, one thread.
 */
final class PolicyReader {
  private static final String NOT_LOOKED_INTO =
      "means nothing where class-mode is off: calls are not looked into";

  private final ConfigValues values;

  /** Null until somebody asks for a method. */
  private RemoteMethods remoteMethods;

  PolicyReader(ConfigValues values) {
    this.values = values;
  }

  ClassSettings classes() {
    values.section("classes");
    values.section("long-calls");
    LongCallSettings longCalls =
        new LongCallSettings(
            values.size(ConfigKey.LONG_CALLS_MAX_BYTES),
            values.size(ConfigKey.LONG_CALLS_MAX_BYTES_PER_PRINCIPAL),
            values.duration(ConfigKey.LONG_CALLS_PATIENCE));
    return new ClassSettings(
        mode(values.choice(ConfigKey.CLASSES_MODE)),
        patterns(values.root(), ConfigKey.CLASSES_ALLOW, ConfigKey.CLASSES_ALLOW.path()),
        values.list(values.root(), ConfigKey.CLASSES_OPAQUE, ConfigKey.CLASSES_OPAQUE.path(), true),
        values.given(ConfigKey.CLASSES_INTERFACES).flatMap(this::jars),
        values.size(ConfigKey.CLASSES_CALL_LIMIT),
        values.count(ConfigKey.CLASSES_KEY_LIMIT),
        Codebases.of(values.choice(ConfigKey.CLASSES_CODEBASES)),
        longCalls,
        Map.of(
            MessageBound.DEPTH, values.count(ConfigKey.CLASSES_MAX_DEPTH),
            MessageBound.OBJECTS, values.count(ConfigKey.CLASSES_OBJECT_LIMIT),
            MessageBound.CLASSES, values.count(ConfigKey.CLASSES_CLASS_LIMIT),
            MessageBound.REFERENCES, values.count(ConfigKey.CLASSES_REFERENCE_LIMIT),
            MessageBound.PROXIES, values.count(ConfigKey.CLASSES_PROXY_LIMIT),
            MessageBound.HASHING, values.count(ConfigKey.CLASSES_HASHING_LIMIT)));
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
    JmxAccess jmx = jmx(item, at, mode);
    return new EntryRules(
        mode,
        patterns(item, ConfigKey.TARGETS_CLASSES, at + ".classes"),
        values.list(item, ConfigKey.TARGETS_OPAQUE, at + ".opaque", true),
        values.list(item, ConfigKey.TARGETS_REFERENCES, at + ".references", true),
        values.list(item, ConfigKey.TARGETS_NAMES, at + ".names", true),
        flag(item, ConfigKey.TARGETS_LIST_ALL, at),
        methods(item, at, mode),
        limit(item, at),
        keyLimit(item, at),
        flag(item, ConfigKey.TARGETS_STREAM, at),
        jmx,
        jmxGrants(item, at, jmx),
        item.entries().containsKey(ConfigKey.TARGETS_RECEIVED_OBJECTS.lastName())
            ? Optional.of(flag(item, ConfigKey.TARGETS_RECEIVED_OBJECTS, at))
            : Optional.empty(),
        newPorts(item, at, mode));
  }

  /** What the client has named first is known only where its calls are looked into. */
  private boolean newPorts(Mapping item, String at, Optional<ClassMode> mode) {
    ConfigKey key = ConfigKey.TARGETS_NEW_PORTS;
    boolean newPorts = flag(item, key, at);
    if (newPorts && isOff(mode)) {
      values.problem(
          item.entries().get(key.lastName()).keyOrigin(), at + ".new-ports", NOT_LOOKED_INTO);
    }
    return newPorts;
  }

  private boolean isOff(Optional<ClassMode> mode) {
    return mode.equals(Optional.of(ClassMode.OFF)) || (mode.isEmpty() && isOffForAll());
  }

  private JmxAccess jmx(Mapping item, String at, Optional<ClassMode> mode) {
    ConfigKey key = ConfigKey.TARGETS_JMX;
    JmxAccess jmx =
        value(item, key, at, key.allowed().names()).map(JmxAccess::of).orElse(JmxAccess.NONE);
    if (jmx == JmxAccess.READ && isOff(mode)) {
      values.problem(item.entries().get(key.lastName()).keyOrigin(), at + ".jmx", NOT_LOOKED_INTO);
    }
    return jmx;
  }

  private Set<JmxGrant> jmxGrants(Mapping item, String at, JmxAccess jmx) {
    Set<JmxGrant> grants = EnumSet.noneOf(JmxGrant.class);
    ConfigKey key = ConfigKey.TARGETS_JMX_GRANTS;
    for (String word : values.list(item, key, at + ".jmx-grants", true)) {
      JmxGrant.of(word).ifPresent(grants::add);
    }
    if (!grants.isEmpty() && jmx != JmxAccess.FULL) {
      values.problem(
          item.entries().get(key.lastName()).keyOrigin(),
          at + ".jmx-grants",
          "means nothing without jmx: true");
    }
    return grants;
  }

  private List<MethodPattern> methods(Mapping item, String at, Optional<ClassMode> mode) {
    ConfigKey key = ConfigKey.TARGETS_METHODS;
    String path = at + ".methods";
    List<MethodPattern> patterns =
        values.list(item, key, path, true).stream()
            .flatMap(text -> MethodPattern.parse(text).stream())
            .toList();
    if (patterns.isEmpty()) {
      return patterns;
    }
    Entry entry = item.entries().get(key.lastName());
    if (isOff(mode)) {
      values.problem(entry.keyOrigin(), path, NOT_LOOKED_INTO);
    }
    List<ConfigNode> items = ((Sequence) entry.value()).items();
    for (int i = 0; i < items.size(); i++) {
      Optional<MethodPattern> pattern = MethodPattern.parse(text(items.get(i)));
      if (pattern.isPresent() && !remoteMethods().has(pattern.get())) {
        values.problem(
            items.get(i).origin(),
            path + "[" + i + "]",
            "\""
                + pattern.get()
                + "\": no remote interface in classes.interfaces has such a method");
      }
    }
    return patterns;
  }

  private boolean isOffForAll() {
    return values.isGiven(ConfigKey.CLASSES_MODE)
        && values.text(ConfigKey.CLASSES_MODE).equals("off");
  }

  private static String text(ConfigNode node) {
    return node instanceof Scalar scalar ? scalar.text().strip() : "";
  }

  /** Read once; what is wrong with the jars themselves is reported once. */
  private RemoteMethods remoteMethods() {
    if (remoteMethods == null) {
      Optional<Path> jars =
          values.isGiven(ConfigKey.CLASSES_INTERFACES)
              ? values
                  .path(ConfigKey.CLASSES_INTERFACES, values.scalar(ConfigKey.CLASSES_INTERFACES))
                  .filter(Files::isDirectory)
              : Optional.empty();
      try {
        remoteMethods = RemoteMethods.of(jars);
      } catch (IOException e) {
        values.problem(
            values.scalar(ConfigKey.CLASSES_INTERFACES).origin(),
            ConfigKey.CLASSES_INTERFACES.path(),
            e.getMessage());
        remoteMethods = RemoteMethods.ofJmx();
      }
    }
    return remoteMethods;
  }

  private List<ClassPattern> patterns(Mapping item, ConfigKey key, String path) {
    return values.list(item, key, path, true).stream()
        .flatMap(text -> ClassPattern.parse(text).stream())
        .toList();
  }

  /** Whether an entry says so; left out it does not. */
  boolean flag(Mapping item, ConfigKey key, String at) {
    return value(item, key, at, List.of("true", "false")).filter("true"::equals).isPresent();
  }

  private OptionalInt limit(Mapping item, String at) {
    return number(item, ConfigKey.TARGETS_CALL_LIMIT, at, Units::bytes);
  }

  private OptionalInt keyLimit(Mapping item, String at) {
    return number(
        item,
        ConfigKey.TARGETS_KEY_LIMIT,
        at,
        text ->
            text.matches("\\d{1,9}")
                ? OptionalLong.of(Long.parseLong(text))
                : OptionalLong.empty());
  }

  private OptionalInt number(
      Mapping item, ConfigKey key, String at, Function<String, OptionalLong> parser) {
    Entry entry = item.entries().get(key.lastName());
    if (entry == null) {
      return OptionalInt.empty();
    }
    OptionalLong number =
        entry.value() instanceof Scalar value
            ? parser.apply(value.text().strip())
            : OptionalLong.empty();
    if (number.isPresent()
        && number.getAsLong() >= key.allowed().min()
        && number.getAsLong() <= key.allowed().max()) {
      return OptionalInt.of((int) number.getAsLong());
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

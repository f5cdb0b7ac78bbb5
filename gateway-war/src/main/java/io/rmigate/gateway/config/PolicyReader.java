package io.rmigate.gateway.config;

import io.rmigate.gateway.config.ConfigNode.Entry;
import io.rmigate.gateway.config.ConfigNode.Mapping;
import io.rmigate.gateway.config.ConfigNode.Scalar;
import io.rmigate.gateway.config.ConfigNode.Sequence;
import io.rmigate.gateway.policy.remote.JmxAccess;
import io.rmigate.gateway.policy.remote.RemoteMethods;
import io.rmigate.gateway.policy.rule.ClassMode;
import io.rmigate.gateway.policy.rule.ClassSettings;
import io.rmigate.gateway.policy.rule.EntryRules;
import io.rmigate.gateway.policy.rule.LongCallSettings;
import io.rmigate.gateway.policy.rule.MethodRules;
import io.rmigate.gateway.policy.rule.RuleKey;
import io.rmigate.gateway.policy.rule.RuleTypes;
import io.rmigate.gateway.policy.type.MethodPattern;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Reads {@code classes}, and what entries of {@code targets} say about calls. One use, one thread.
 */
final class PolicyReader {
  private static final String NOT_LOOKED_INTO =
      "has no effect where class-mode is off, because calls are not checked there";

  private static final List<String> FLAGS = List.of("true", "false");

  private final ConfigValues values;

  /** Null until the first method is read. */
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
    ClassSettings settings =
        new ClassSettings(
            EntryRules.mode(values.choice(ConfigKey.CLASSES_MODE)),
            values.given(ConfigKey.CLASSES_INTERFACES).flatMap(this::jars),
            longCalls,
            EntryRules.NONE);
    for (RuleKey<?> key : RuleTypes.keysForAll()) {
      settings = with(settings, key);
    }
    return settings;
  }

  private <T> ClassSettings with(ClassSettings settings, RuleKey<T> rule) {
    ConfigKey key = ConfigKey.of("classes." + rule.inClasses());
    return settings.with(
        rule,
        rule.read(
            switch (key.allowed().shape()) {
              case CHOICE -> List.of(values.choice(key));
              case SIZE -> List.of(Integer.toString(values.size(key)));
              case COUNT -> List.of(Integer.toString(values.count(key)));
              default -> values.list(values.root(), key, key.path(), true);
            }));
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
    values.notAllowed(ConfigKey.CLASSES_INTERFACES, value, "is not a directory");
    return Optional.empty();
  }

  EntryRules entry(Mapping item, String at) {
    EntryRules rules = EntryRules.NONE;
    for (RuleKey<?> rule : RuleTypes.keysOfEntries()) {
      rules = with(rules, rule, item, at);
    }
    boolean isOff = rules.get(EntryRules.MODE).map(ClassMode.OFF::equals).orElse(isOffForAll());
    for (RuleKey<?> rule : RuleTypes.keysOfEntries()) {
      if (isOff && isIdleWhereOff(rules, rule)) {
        problem(item, rule, at, NOT_LOOKED_INTO);
      }
    }
    if (!rules.get(MethodRules.GRANTS).isEmpty() && rules.get(MethodRules.JMX) != JmxAccess.FULL) {
      problem(item, MethodRules.GRANTS, at, "has no effect without jmx: true");
    }
    if (!rules.get(MethodRules.KEY).isEmpty()) {
      checkMethods(item, at);
    }
    return rules;
  }

  private <T> EntryRules with(EntryRules rules, RuleKey<T> rule, Mapping item, String at) {
    ConfigKey key = ConfigKey.of("targets[]." + rule.inEntries());
    if (!item.entries().containsKey(key.lastName())) {
      return rules;
    }
    List<String> words =
        switch (key.allowed().shape()) {
          case FLAG -> value(item, key, at, FLAGS).stream().toList();
          case CHOICE -> value(item, key, at, key.allowed().names()).stream().toList();
          case SIZE -> number(item, key, at, Units::bytes);
          case COUNT -> number(item, key, at, PolicyReader::count);
          default -> values.list(item, key, at + "." + key.lastName(), true);
        };
    return words.isEmpty() ? rules : rules.with(rule, rule.read(words));
  }

  private static <T> boolean isIdleWhereOff(EntryRules rules, RuleKey<T> rule) {
    return rule.isIdleWhereOff(rules.get(rule));
  }

  private void problem(Mapping item, RuleKey<?> rule, String at, String message) {
    values.problem(
        item.entries().get(rule.inEntries()).keyOrigin(), at + "." + rule.inEntries(), message);
  }

  private void checkMethods(Mapping item, String at) {
    String name = MethodRules.KEY.inEntries();
    List<ConfigNode> items = ((Sequence) item.entries().get(name).value()).items();
    for (int i = 0; i < items.size(); i++) {
      Optional<MethodPattern> pattern = MethodPattern.parse(text(items.get(i)));
      if (pattern.isPresent() && !remoteMethods().has(pattern.get())) {
        values.problem(
            items.get(i).origin(),
            at + "." + name + "[" + i + "]",
            "\""
                + pattern.get()
                + "\": no remote interface in classes.interfaces has such a method");
      }
    }
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

  /** Whether an entry says so; left out it does not. */
  boolean flag(Mapping item, ConfigKey key, String at) {
    return value(item, key, at, FLAGS).filter("true"::equals).isPresent();
  }

  private static OptionalLong count(String text) {
    return text.matches("\\d{1,9}") ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
  }

  /** The number as a word, if it is one that is allowed. */
  private List<String> number(
      Mapping item, ConfigKey key, String at, Function<String, OptionalLong> parser) {
    Entry entry = item.entries().get(key.lastName());
    OptionalLong number =
        entry.value() instanceof Scalar value
            ? parser.apply(value.text().strip())
            : OptionalLong.empty();
    if (number.isPresent()
        && number.getAsLong() >= key.allowed().min()
        && number.getAsLong() <= key.allowed().max()) {
      return List.of(Long.toString(number.getAsLong()));
    }
    bad(entry, key, at);
    return List.of();
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
        entry.value().kind() + " is not valid; allowed: " + key.allowed().text());
  }
}

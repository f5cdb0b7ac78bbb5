package io.rmigate.gateway.config;

import io.rmigate.gateway.callback.port.PortRange;
import io.rmigate.gateway.policy.rule.ClassSettings;
import io.rmigate.gateway.policy.rule.EntryRules;
import io.rmigate.gateway.policy.rule.RuleKey;
import io.rmigate.gateway.policy.rule.RuleTypes;
import io.rmigate.protocol.tunnel.RegistryName;
import java.lang.reflect.RecordComponent;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The settings in a configuration, each as text by its path in the records. */
final class SettingLeaves {
  /** Records that are one value. */
  private static final Set<Class<?>> VALUES =
      Set.of(GatewayConfig.Listen.class, PortRange.class, RegistryName.class);

  /** Settings whose records have other names or levels than the file. */
  private static final Map<String, String> NAMES_IN_FILE =
      Map.of(
          "callbacks.ports.range", "callbacks.ports",
          "callbacks.ports.quarantine", "callbacks.quarantine",
          "callbacks.connections.ofSession", "callbacks.maxConnections",
          "callbacks.connections.inAll", "callbacks.maxConnectionsInAll");

  private final Path directory;
  private final Map<String, String> leaves = new TreeMap<>();

  /** Files are shown relative to {@code directory}. */
  SettingLeaves(Path directory) {
    this.directory = directory;
  }

  /** One use. */
  Map<String, String> of(GatewayConfig config) throws ReflectiveOperationException {
    walk("", config);
    return leaves;
  }

  private void walk(String path, Object value) throws ReflectiveOperationException {
    if (value instanceof Optional<?> optional && optional.isPresent()) {
      walk(path, optional.get());
    } else if (isBranch(value)) {
      for (RecordComponent component : value.getClass().getRecordComponents()) {
        if (value instanceof ClassSettings && component.getType() == EntryRules.class) {
          continue; // see below
        }
        String name = path.isEmpty() ? component.getName() : path + "." + component.getName();
        // The file has no level for the groups of settings.
        walk(value instanceof GatewayConfig ? "" : name, component.getAccessor().invoke(value));
      }
      if (value instanceof ClassSettings settings) {
        for (RuleKey<?> key : RuleTypes.keysForAll()) {
          leaves.put(path + "." + leaf(key.inClasses()), text(settings.get(key)));
        }
      }
    } else if (value instanceof List<?> list && list.stream().anyMatch(SettingLeaves::isBranch)) {
      for (int i = 0; i < list.size(); i++) {
        walk(path + "[" + i + "]", list.get(i));
      }
    } else if (value instanceof EntryRules rules) {
      for (RuleKey<?> key : RuleTypes.keysOfEntries()) {
        leaves.put(path + "." + leaf(key.inEntries()), text(rules.get(key)));
      }
    } else {
      leaves.put(NAMES_IN_FILE.getOrDefault(path, path), text(value));
    }
  }

  /** How {@code max-depth} is called as a component of a record. */
  static String leaf(String key) {
    return Pattern.compile("-(.)")
        .matcher(key)
        .replaceAll(letter -> letter.group(1).toUpperCase(Locale.ROOT));
  }

  private static boolean isBranch(Object value) {
    return value instanceof Record && !VALUES.contains(value.getClass());
  }

  private String text(Object value) {
    if (value instanceof OptionalInt number) {
      return number.isPresent() ? String.valueOf(number.getAsInt()) : "none";
    } else if (value instanceof Optional<?> some) {
      return some.isPresent() ? text(some.get()) : "none";
    } else if (value instanceof Enum<?> word) {
      return word.name().toLowerCase(Locale.ROOT).replace('_', '-');
    } else if (value instanceof Path file) {
      return directory.relativize(file).toString();
    } else if (value instanceof InetAddress address) {
      return address.getHostAddress();
    } else if (value instanceof Set<?> set) {
      return new TreeSet<>(texts(set)).toString();
    } else if (value instanceof List<?> list) {
      return texts(list).toString();
    }
    return String.valueOf(value);
  }

  private List<String> texts(Collection<?> values) {
    return values.stream().map(this::text).toList();
  }
}

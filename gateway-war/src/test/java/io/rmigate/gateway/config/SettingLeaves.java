package io.rmigate.gateway.config;

import io.rmigate.gateway.callback.port.PortRange;
import io.rmigate.gateway.policy.MessageBound;
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
        String name = path.isEmpty() ? component.getName() : path + "." + component.getName();
        walk(name, component.getAccessor().invoke(value));
      }
    } else if (value instanceof List<?> list && list.stream().anyMatch(SettingLeaves::isBranch)) {
      for (int i = 0; i < list.size(); i++) {
        walk(path + "[" + i + "]", list.get(i));
      }
    } else if (path.equals("classes.bounds")) {
      Map<?, ?> bounds = (Map<?, ?>) value;
      for (MessageBound bound : MessageBound.values()) {
        leaves.put(
            "classes." + leaf(bound.key()),
            text(bounds.containsKey(bound) ? bounds.get(bound) : bound.usual()));
      }
    } else {
      leaves.put(path, text(value));
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
    } else if (value instanceof Optional<?> absent && absent.isEmpty()) {
      return "none";
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

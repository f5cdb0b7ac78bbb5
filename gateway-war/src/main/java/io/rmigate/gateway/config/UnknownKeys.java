package io.rmigate.gateway.config;

import io.rmigate.gateway.config.ConfigNode.Mapping;
import io.rmigate.gateway.config.ConfigNode.Sequence;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reports keys that do not exist, with the one that was meant. */
final class UnknownKeys {
  private UnknownKeys() {}

  static void report(ConfigValues values) {
    report(values.root(), "", "", values);
  }

  private static void report(
      Mapping mapping, String keyPath, String shownPath, ConfigValues values) {
    Set<String> known = new LinkedHashSet<>();
    String prefix = keyPath.isEmpty() ? "" : keyPath + ".";
    for (ConfigKey key : ConfigKey.values()) {
      if (key.path().startsWith(prefix)) {
        String rest = key.path().substring(prefix.length());
        int end = rest.indexOf('.');
        known.add(end < 0 ? rest : rest.substring(0, end));
      }
    }
    mapping
        .entries()
        .forEach(
            (name, entry) -> {
              String shown = shownPath.isEmpty() ? name : shownPath + "." + name;
              if (known.contains(name)) {
                if (entry.value() instanceof Mapping below) {
                  report(below, prefix + name, shown, values);
                }
              } else if (known.contains(name + "[]")) {
                if (entry.value() instanceof Sequence list) {
                  for (int i = 0; i < list.items().size(); i++) {
                    if (list.items().get(i) instanceof Mapping item) {
                      report(item, prefix + name + "[]", shown + "[" + i + "]", values);
                    }
                  }
                }
              } else {
                values.problem(entry.keyOrigin(), shown, "unknown key" + suggestion(name, known));
              }
            });
  }

  private static String suggestion(String name, Set<String> known) {
    List<String> siblings = known.stream().map(k -> k.replace("[]", "")).toList();
    Optional<String> near = NearestName.of(name, siblings);
    if (near.isPresent()) {
      return "; did you mean " + near.get() + "?";
    }
    for (ConfigKey key : ConfigKey.values()) {
      if (key.lastName().equals(name)) {
        return "; did you mean " + key.path() + "?";
      }
    }
    return "; allowed: " + String.join(", ", siblings);
  }
}

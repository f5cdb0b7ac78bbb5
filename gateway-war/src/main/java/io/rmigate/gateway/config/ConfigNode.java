package io.rmigate.gateway.config;

import io.rmigate.gateway.problem.ConfigProblem;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A node of the configuration tree; each knows its origin (see {@link ConfigProblem#origin}). The
 * tree is confined to the thread that loads it.
 */
sealed interface ConfigNode {

  /** Where this node stands. */
  String origin();

  /** The type of this node, as messages name it. */
  String kind();

  /** Keys with values, in the order of the file; mutable, because overrides are set into it. */
  record Mapping(String origin, Map<String, Entry> entries) implements ConfigNode {

    static Mapping at(String origin) {
      return new Mapping(origin, new LinkedHashMap<>());
    }

    /** Sets a value where the key belongs; not below a value of the wrong type, which stays. */
    void put(ConfigKey key, String origin, String value) {
      String[] parts = key.path().split("\\.", -1);
      Mapping at = this;
      for (int i = 0; i < parts.length - 1; i++) {
        Entry entry = at.entries.get(parts[i]);
        if (entry == null || entry.value() instanceof Nothing) {
          Mapping below = Mapping.at(origin);
          at.entries.put(parts[i], new Entry(origin, below));
          at = below;
        } else if (entry.value() instanceof Mapping below) {
          at = below;
        } else {
          return; // the wrong type is reported when the section is read
        }
      }
      at.entries.put(parts[parts.length - 1], new Entry(origin, new Scalar(origin, value)));
    }

    /** Sets what is directly below. */
    void put(String key, ConfigNode value) {
      entries.put(key, new Entry(value.origin(), value));
    }

    @Override
    public String kind() {
      return "keys with values";
    }
  }

  /** A value with the place of its key. */
  record Entry(String keyOrigin, ConfigNode value) {}

  /** A list. */
  record Sequence(String origin, List<ConfigNode> items) implements ConfigNode {
    @Override
    public String kind() {
      return "a list";
    }
  }

  /** A single value, as text. */
  record Scalar(String origin, String text) implements ConfigNode {
    @Override
    public String kind() {
      return "the value \"" + text + "\"";
    }
  }

  /** A key without anything behind it. */
  record Nothing(String origin) implements ConfigNode {
    @Override
    public String kind() {
      return "nothing";
    }
  }
}

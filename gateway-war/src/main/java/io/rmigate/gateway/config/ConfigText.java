package io.rmigate.gateway.config;

import io.rmigate.gateway.config.ConfigNode.Mapping;
import io.rmigate.gateway.config.ConfigNode.Scalar;
import io.rmigate.gateway.config.ConfigNode.Sequence;
import java.util.regex.Pattern;

/** A configuration tree as the text of a file that is read as the same tree. */
final class ConfigText {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z][A-Za-z0-9_./-]*");
  private static final String STEP = "  ";

  private ConfigText() {}

  static String of(Mapping root) {
    StringBuilder yaml = new StringBuilder();
    entries(yaml, root, "");
    return yaml.toString();
  }

  /** Behind the indentation of the first entry. */
  private static void entries(StringBuilder yaml, Mapping mapping, String indent) {
    mapping
        .entries()
        .forEach(
            (key, entry) -> {
              yaml.append(indent).append(key).append(':');
              value(yaml, entry.value(), indent);
            });
  }

  private static void value(StringBuilder yaml, ConfigNode value, String indent) {
    if (value instanceof Scalar scalar) {
      yaml.append(' ').append(text(scalar)).append('\n');
    } else if (value instanceof Mapping mapping) {
      yaml.append('\n');
      entries(yaml, mapping, indent + STEP);
    } else if (value instanceof Sequence sequence) {
      yaml.append('\n');
      for (ConfigNode item : sequence.items()) {
        item(yaml, item, indent + STEP);
      }
    } else {
      yaml.append('\n');
    }
  }

  private static void item(StringBuilder yaml, ConfigNode item, String indent) {
    if (item instanceof Mapping mapping) {
      StringBuilder entries = new StringBuilder();
      entries(entries, mapping, indent + STEP);
      yaml.append(indent).append("- ").append(entries.substring(indent.length() + STEP.length()));
    } else {
      yaml.append(indent).append('-');
      value(yaml, item, indent);
    }
  }

  private static String text(Scalar scalar) {
    String text = scalar.text();
    return PLAIN.matcher(text).matches() ? text : "'" + text.replace("'", "''") + "'";
  }
}

package io.rmigate.sample;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The options of a command line: {@code --name value}, nothing else. */
final class Options {
  private final Map<String, String> values = new HashMap<>();

  private Options() {}

  /**
   * Reads the command line.
   *
   * @throws IllegalArgumentException names the option that is unknown or lacks its value
   */
  static Options parse(String[] args, String... known) {
    Options options = new Options();
    for (int i = 0; i < args.length; i += 2) {
      if (!Set.of(known).contains(args[i])) {
        throw new IllegalArgumentException(
            "unknown option " + args[i] + "; there are " + String.join(", ", known));
      }
      if (i + 1 == args.length) {
        throw new IllegalArgumentException(args[i] + " needs a value");
      }
      options.values.put(args[i], args[i + 1]);
    }
    return options;
  }

  String text(String name, String otherwise) {
    return values.getOrDefault(name, otherwise);
  }

  int number(String name, int otherwise) {
    String value = values.get(name);
    try {
      return value == null ? otherwise : Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + " needs a number, not " + value, e);
    }
  }
}

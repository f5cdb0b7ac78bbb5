package io.rmigate.client.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The text behind the {@code =} of {@code -javaagent}: {@code <gateway URL>[,key=value…]}. The URL
 * may be missing or written {@code gateway=…}; spaces around commas do not count.
 */
record AgentArguments(List<Argument> arguments) {

  /** One {@code key=value}. */
  record Argument(ConfigKey key, String text) {}

  /** Reads the text; null is what the JVM passes when there is none. */
  static AgentArguments parse(String text) {
    List<Argument> arguments = new ArrayList<>();
    if (text != null && !text.isBlank()) {
      String[] elements = text.split(",", -1);
      for (int i = 0; i < elements.length; i++) {
        arguments.add(argument(elements[i].strip(), i == 0));
      }
    }
    return new AgentArguments(List.copyOf(arguments));
  }

  private static Argument argument(String element, boolean first) {
    int equals = element.indexOf('=');
    // A URL may contain "=" too, but not before its first slash, dot or colon.
    boolean named = equals > 0 && isName(element.substring(0, equals));
    if (named) {
      return new Argument(key(element.substring(0, equals)), element.substring(equals + 1));
    }
    if (first) {
      return new Argument(ConfigKey.GATEWAY, element);
    }
    throw new ClientConfigException(
        "javaagent argument '"
            + (element.contains("@") ? "…" : element) // what stands before an @ may be a password
            + "': expected key=value (a value cannot contain a comma)");
  }

  /** Whether it consists of letters of ASCII, {@code _} and {@code -}. */
  private static boolean isName(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == '-')) {
        return false;
      }
    }
    return true;
  }

  private static ConfigKey key(String name) {
    Optional<ConfigKey> key = ConfigKey.byName(name);
    if (key.isEmpty()) {
      Optional<ConfigKey> near = ConfigKey.nearestTo(name);
      throw new ClientConfigException(
          "javaagent argument "
              + name
              + ": unknown"
              + (near.isPresent() ? "; did you mean " + near.get().key() + "?" : ""));
    }
    return key.get();
  }
}

package io.rmigate.client.config;

import java.util.Locale;

/** Where a value was set, highest precedence first. */
enum ConfigSource {
  ARGUMENT("javaagent argument"),
  BUILDER("builder"),
  OPTION("option"),
  PROPERTY("system property"),
  ENVIRONMENT("environment variable");

  static final String PROPERTY_PREFIX = "rmigate.";
  static final String ENVIRONMENT_PREFIX = "RMIGATE_";

  private final String noun;

  ConfigSource(String noun) {
    this.noun = noun;
  }

  /** How this source spells {@code key}. */
  String nameOf(String key) {
    return switch (this) {
      case ARGUMENT, BUILDER -> key;
      case OPTION -> "--" + key;
      case PROPERTY -> PROPERTY_PREFIX + key;
      case ENVIRONMENT -> ENVIRONMENT_PREFIX + key.toUpperCase(Locale.ROOT).replace('-', '_');
    };
  }

  /** For error texts: {@code system property rmigate.user}. */
  String describe(String key) {
    return describeName(nameOf(key));
  }

  /** For error texts: a name that is no key's. */
  String describeName(String name) {
    return noun + " " + name;
  }
}

package io.rmigate.client.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What stands behind a command that does one thing and ends: words, options of the command's own,
 * and keys of the client as options ({@code --gateway URL}, {@code --gateway=URL}).
 *
 * <p>Such a command may have no gateway. The keys still say how one would be reached, so a reserved
 * name stands in its place (RFC 2606).
 */
public final class CommandLine {
  /** Stands for the gateway where none is configured; its name is reserved. */
  private static final String NO_GATEWAY = "https://gateway.invalid";

  private static final Pattern DURATION = Pattern.compile("(\\d{1,6})(ms|s|m)");

  private final List<String> words = new ArrayList<>();
  private final Map<String, String> own = new LinkedHashMap<>();
  private final Map<ConfigKey, String> keys = new LinkedHashMap<>();

  private CommandLine() {}

  /**
   * Reads the arguments.
   *
   * @param valued names of own options that have a value
   * @param flags names of own options that have none; {@code -l} is that named {@code l}
   * @throws ClientConfigException with one line for the user
   */
  public static CommandLine parse(List<String> arguments, Set<String> valued, Set<String> flags) {
    CommandLine line = new CommandLine();
    for (int i = 0; i < arguments.size(); i++) {
      String argument = arguments.get(i);
      if (argument.equals("--")) {
        line.words.addAll(arguments.subList(i + 1, arguments.size()));
        break;
      }
      if (!isOption(argument, flags)) {
        line.words.add(argument);
        continue;
      }
      int equals = argument.indexOf('=');
      String name =
          argument.substring(0, equals < 0 ? argument.length() : equals).replaceFirst("^--?", "");
      if (flags.contains(name)) {
        line.own.put(name, "true");
        continue;
      }
      Optional<ConfigKey> key = ConfigKey.byName(name);
      if (key.isEmpty() && !valued.contains(name)) {
        throw new ClientConfigException(
            "option --"
                + name
                + ": unknown"
                + ConfigKey.nearestTo(name)
                    .map(near -> "; did you mean " + near.key() + "?")
                    .orElse("; --help lists them all"));
      }
      if (equals < 0 && i + 1 == arguments.size()) {
        throw new ClientConfigException("option --" + name + " has no value");
      }
      String value = equals < 0 ? arguments.get(++i) : argument.substring(equals + 1);
      String before = key.isPresent() ? line.keys.put(key.get(), value) : line.own.put(name, value);
      if (before != null) {
        throw new ClientConfigException("option --" + name + " is given twice");
      }
    }
    return line;
  }

  /** A lone dash and negative numbers are words: they may be arguments of a call. */
  private static boolean isOption(String argument, Set<String> flags) {
    return argument.startsWith("--")
        || (argument.startsWith("-") && flags.contains(argument.substring(1)));
  }

  /** Words that are neither an option nor the value of one, in order. */
  public List<String> words() {
    return List.copyOf(words);
  }

  /** Whether an own option without value is given. */
  public boolean has(String flag) {
    return own.containsKey(flag);
  }

  /** The value of an own option. */
  public Optional<String> option(String name) {
    return Optional.ofNullable(own.get(name));
  }

  /**
   * The value of an own option that is a duration.
   *
   * @throws ClientConfigException it is none, or not between these two
   */
  public Duration duration(String name, Duration least, Duration most, Duration otherwise) {
    String text = own.get(name);
    if (text == null) {
      return otherwise;
    }
    Matcher matcher = DURATION.matcher(text);
    if (matcher.matches()) {
      long amount = Long.parseLong(matcher.group(1));
      Duration duration =
          switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            default -> Duration.ofMinutes(amount);
          };
      if (duration.compareTo(least) >= 0 && duration.compareTo(most) <= 0) {
        return duration;
      }
    }
    throw new ClientConfigException(
        "option --"
            + name
            + ": '"
            + text
            + "' is no duration between "
            + least.toMillis()
            + "ms and "
            + most.toSeconds()
            + "s, such as 500ms or 20s");
  }

  /** The keys that are given as options, as they were written; a value may hold a password. */
  public Map<ConfigKey, String> keys() {
    return Map.copyOf(keys);
  }

  /** The configuration of a client that may have no gateway. */
  public Configured configured(Properties properties, Map<String, String> environment) {
    return configured(Map.of(), properties, environment);
  }

  /**
   * The configuration of a client that may have no gateway, with defaults of a command.
   *
   * @param defaults what holds for this command where nothing else is set
   */
  public Configured configured(
      Map<ConfigKey, String> defaults, Properties properties, Map<String, String> environment) {
    ClientConfig.Builder builder = ClientConfig.options();
    keys.forEach(builder::set);
    builder.over(properties, environment);
    defaults.forEach(
        (key, value) -> {
          if (!builder.isSet(key)) {
            builder.set(key, value);
          }
        });
    boolean gateway = builder.isSet(ConfigKey.GATEWAY);
    if (!gateway) {
      builder.set(ConfigKey.GATEWAY, NO_GATEWAY);
    }
    return new Configured(builder.build(), gateway);
  }

  /**
   * A configuration.
   *
   * @param hasGateway false: what {@code config} says of its gateway is of no meaning
   */
  public record Configured(ClientConfig config, boolean hasGateway) {}
}

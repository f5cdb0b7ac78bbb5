package io.rmigate.perf.gatling;

import io.rmigate.perf.harness.Arguments;
import io.rmigate.perf.ways.Way;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The command line; see {@code perf/gatling --help}.
 *
 * @param ways to try where the scenario has them
 * @param duration of each level
 * @param warmUp of each way
 * @param anySpeed whether a way that is far too slow is only told of
 */
record GatlingOptions(
    Path root,
    String commit,
    Path jdk,
    List<Scenario> scenarios,
    List<Way> ways,
    List<Level> levels,
    Duration duration,
    Duration warmUp,
    boolean anySpeed,
    Optional<Path> out) {
  /** In the order of tables. */
  static final List<Way> ALL =
      List.of(Way.DIRECT, Way.CONNECT, Way.WEBSOCKET, Way.POST, Way.AUTO, Way.SOAP, Way.JSON);

  private static final List<String> SHORT =
      List.of("open", "reject", "drop", "proxy-basic", "no-upgrade", "buffering");

  /**
   * Reads it.
   *
   * @throws IllegalArgumentException says what is wrong
   */
  static GatlingOptions parse(String... args) {
    Path root = Path.of(".");
    String commit = "unknown";
    Path jdk = Path.of(System.getProperty("java.home"));
    List<Scenario> scenarios = new ArrayList<>();
    List<Way> ways = ALL;
    String users = "1,16,64,256";
    String models = "both";
    Duration duration = Duration.ofSeconds(10);
    Duration warmUp = Duration.ofSeconds(5);
    boolean anySpeed = false;
    Optional<Path> out = Optional.empty();
    Arguments arguments = new Arguments(args);
    while (arguments.next()) {
      switch (arguments.word()) {
        case "--root" -> root = arguments.path();
        case "--commit" -> commit = arguments.value();
        case "--jdk" -> jdk = arguments.path();
        case "--short" -> {
          SHORT.forEach(name -> scenarios.add(Scenario.named(name)));
          users = "1,16";
          duration = Duration.ofSeconds(1);
          warmUp = Duration.ofSeconds(2);
          anySpeed = true; // so little time says nothing of it
        }
        case "--ways" -> ways = ways(arguments.value());
        case "--users" -> users = arguments.value();
        case "--model" -> models = arguments.value();
        case "--seconds" -> duration = seconds(arguments.value(), 1);
        case "--warm-up" -> warmUp = seconds(arguments.value(), 0);
        case "--any-speed" -> anySpeed = true;
        case "--out" -> out = Optional.of(arguments.path());
        default -> {
          if (arguments.word().startsWith("-")) {
            throw arguments.unknown();
          }
          scenarios.add(Scenario.named(arguments.word()));
        }
      }
    }
    if (scenarios.isEmpty()) {
      throw new IllegalArgumentException("expected a scenario, or --short");
    }
    return new GatlingOptions(
        root, commit, jdk, scenarios, ways, levels(users, models), duration, warmUp, anySpeed, out);
  }

  private static List<Level> levels(String users, String models) {
    List<Level> levels = new ArrayList<>();
    for (Level.Model model : models(models)) {
      for (String number : users.split(",", -1)) {
        int value = Integer.parseInt(number);
        if (value < 1 || value > Callers.MOST / 4) {
          throw new IllegalArgumentException(
              "expected 1 to " + Callers.MOST / 4 + " users, got " + number);
        }
        levels.add(new Level(model, value));
      }
    }
    return levels;
  }

  private static List<Level.Model> models(String text) {
    return switch (text) {
      case "both" -> List.of(Level.Model.values());
      case "closed" -> List.of(Level.Model.CLOSED);
      case "open" -> List.of(Level.Model.OPEN);
      default -> throw new IllegalArgumentException("expected closed, open or both, got " + text);
    };
  }

  private static List<Way> ways(String text) {
    List<Way> ways = Arrays.stream(text.split(",", -1)).map(Way::parse).distinct().toList();
    if (!ALL.containsAll(ways)) {
      throw new IllegalArgumentException("not all of these ways are for Gatling: " + text);
    }
    return ways;
  }

  private static Duration seconds(String text, int least) {
    int number = Integer.parseInt(text);
    if (number < least || number > 600) {
      throw new IllegalArgumentException("expected " + least + " to 600 seconds, got " + text);
    }
    return Duration.ofSeconds(number);
  }
}

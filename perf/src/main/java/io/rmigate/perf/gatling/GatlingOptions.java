package io.rmigate.perf.gatling;

import io.rmigate.perf.harness.CommandLine;
import io.rmigate.perf.harness.WorkingTree;
import io.rmigate.perf.ways.Way;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The options of {@code perf/gatling}; see {@code perf/gatling --help}.
 *
 * @param ways the ways to try in scenarios that have them
 * @param anySpeed whether a way that is far too slow is reported without a failure
 * @param out directory for the results
 */
record GatlingOptions(
    WorkingTree tree,
    Path jdk,
    List<Scenario> scenarios,
    List<Way> ways,
    Load load,
    boolean anySpeed,
    Optional<Path> out) {
  /** The ways in the order of tables. */
  static final List<Way> ALL =
      List.of(Way.DIRECT, Way.CONNECT, Way.WEBSOCKET, Way.POST, Way.AUTO, Way.SOAP, Way.JSON);

  private static final List<String> SHORT =
      List.of("open", "reject", "drop", "proxy-basic", "no-upgrade", "buffering");

  /**
   * Parses the command line.
   *
   * @throws IllegalArgumentException an option is unknown or its value wrong
   */
  static GatlingOptions parse(String... args) {
    CommandLine line = new CommandLine(args);
    boolean brief = line.has("--short");
    Load load =
        new Load(
            levels(
                line.value("--users", brief ? "1,16" : "1,16,64,256", word -> word),
                line.value("--model", "both", word -> word)),
            line.value(
                "--seconds", Duration.ofSeconds(brief ? 1 : 10), number -> seconds(number, 1)),
            line.value(
                "--warm-up", Duration.ofSeconds(brief ? 2 : 5), number -> seconds(number, 0)));
    WorkingTree tree = WorkingTree.of(line);
    Path jdk = WorkingTree.jdk(line);
    List<Way> ways = line.value("--ways", ALL, GatlingOptions::ways);
    boolean anySpeed = line.has("--any-speed") || brief; // too few calls for a judgement
    Optional<Path> out = line.find("--out", Path::of);
    List<Scenario> scenarios =
        Stream.concat((brief ? SHORT : List.<String>of()).stream(), line.operands().stream())
            .map(Scenario::named)
            .toList();
    if (scenarios.isEmpty()) {
      throw new IllegalArgumentException("expected a scenario, or --short");
    }
    return new GatlingOptions(tree, jdk, scenarios, ways, load, anySpeed, out);
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

package io.rmigate.perf.speed;

import io.rmigate.perf.harness.Arguments;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The command line; see {@code perf/speed --help}.
 *
 * @param jdks homes, at least one
 * @param pinned which passes to make, in this order
 * @param before the working tree of an earlier commit, built, which takes part
 * @param send how the relay sends to its WebSockets
 */
record SpeedOptions(
    Comparison comparison,
    Path root,
    String commit,
    List<Path> jdks,
    int rounds,
    List<Boolean> pinned,
    String send,
    boolean profile,
    Optional<Path> before,
    Optional<Path> json) {
  private static final int ROUNDS = 15;
  private static final int QUICK_ROUNDS = 5;

  /**
   * Reads it.
   *
   * @throws IllegalArgumentException says what is wrong
   */
  static SpeedOptions parse(String... args) {
    Comparison comparison = Comparison.TUNNEL;
    Path root = Path.of(".");
    String commit = "unknown";
    List<Path> jdks = new ArrayList<>();
    int rounds = ROUNDS;
    List<Boolean> pinned = List.of(true, false);
    String send = "basic";
    boolean profile = false;
    Optional<Path> before = Optional.empty();
    Optional<Path> json = Optional.empty();
    Arguments arguments = new Arguments(args);
    while (arguments.next()) {
      switch (arguments.word()) {
        case "--services" -> comparison = Comparison.SERVICES;
        case "--class-rules" -> comparison = Comparison.CLASS_RULES;
        case "--before" -> {
          comparison = Comparison.BUILDS;
          before = Optional.of(arguments.path());
        }
        case "--root" -> root = arguments.path();
        case "--commit" -> commit = arguments.value();
        case "--jdk" -> jdks.add(arguments.path());
        case "--quick" -> rounds = QUICK_ROUNDS;
        case "--rounds" -> rounds = arguments.positive();
        case "--pinned" -> pinned = List.of(true);
        case "--unpinned" -> pinned = List.of(false);
        case "--relay-send" -> send = arguments.value();
        case "--profile" -> profile = true;
        case "--json" -> json = Optional.of(arguments.path());
        default -> throw arguments.unknown();
      }
    }
    if (jdks.isEmpty()) {
      jdks.add(Path.of(System.getProperty("java.home")));
    }
    return new SpeedOptions(
        comparison, root, commit, List.copyOf(jdks), rounds, pinned, send, profile, before, json);
  }
}

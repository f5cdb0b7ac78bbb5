package io.rmigate.perf.speed;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The command line; see {@code perf/speed --help}.
 *
 * @param jdks homes, at least one
 * @param pinned which passes to make, in this order
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
    Optional<Path> json = Optional.empty();
    for (int i = 0; i < args.length; i++) {
      switch (args[i]) {
        case "--services" -> comparison = Comparison.SERVICES;
        case "--root" -> root = Path.of(value(args, ++i));
        case "--commit" -> commit = value(args, ++i);
        case "--jdk" -> jdks.add(Path.of(value(args, ++i)));
        case "--quick" -> rounds = QUICK_ROUNDS;
        case "--rounds" -> rounds = positive(value(args, ++i));
        case "--pinned" -> pinned = List.of(true);
        case "--unpinned" -> pinned = List.of(false);
        case "--relay-send" -> send = value(args, ++i);
        case "--profile" -> profile = true;
        case "--json" -> json = Optional.of(Path.of(value(args, ++i)));
        default -> throw new IllegalArgumentException("unknown option " + args[i]);
      }
    }
    if (jdks.isEmpty()) {
      jdks.add(Path.of(System.getProperty("java.home")));
    }
    return new SpeedOptions(
        comparison, root, commit, List.copyOf(jdks), rounds, pinned, send, profile, json);
  }

  private static String value(String[] args, int i) {
    if (i >= args.length) {
      throw new IllegalArgumentException(args[i - 1] + " needs a value");
    }
    return args[i];
  }

  private static int positive(String text) {
    int number = Integer.parseInt(text);
    if (number < 1) {
      throw new IllegalArgumentException("expected at least 1, got " + number);
    }
    return number;
  }
}

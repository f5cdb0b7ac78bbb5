package io.rmigate.perf.juric;

import io.rmigate.perf.harness.Arguments;
import io.rmigate.perf.ways.Way;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The command line; see {@code perf/papers --help}.
 *
 * @param warmUps of each operation, before the first run
 * @param calls of each operation in a run
 * @param shared whether ways share the server, and a gateway where its configuration serves several
 */
record JuricOptions(
    Path root,
    String commit,
    Path jdk,
    List<Way> ways,
    int runs,
    int calls,
    int warmUps,
    boolean pinned,
    boolean shared,
    Optional<Path> json,
    Optional<Path> markdown) {
  /** In the order of the table. */
  static final List<Way> ALL =
      List.of(Way.DIRECT, Way.CONNECT, Way.SERVLET, Way.POST, Way.WEBSOCKET, Way.SOAP, Way.JSON);

  private static final int RUNS = 10;
  private static final int CALLS = 1_000;
  private static final int WARM_UPS = 5_000;

  /**
   * Reads it.
   *
   * @throws IllegalArgumentException says what is wrong
   */
  static JuricOptions parse(String... args) {
    Path root = Path.of(".");
    String commit = "unknown";
    Path jdk = Path.of(System.getProperty("java.home"));
    List<Way> ways = ALL;
    int runs = RUNS;
    int calls = CALLS;
    int warmUps = WARM_UPS;
    boolean pinned = false;
    boolean shared = false;
    Optional<Path> json = Optional.empty();
    Optional<Path> markdown = Optional.empty();
    Arguments arguments = new Arguments(args);
    while (arguments.next()) {
      switch (arguments.word()) {
        case "juric" -> {} // the command's name
        case "--root" -> root = arguments.path();
        case "--commit" -> commit = arguments.value();
        case "--jdk" -> jdk = arguments.path();
        case "--ways" -> ways = ways(arguments.value());
        case "--rounds" -> runs = arguments.positive();
        case "--calls" -> calls = arguments.positive();
        case "--warm-up" -> warmUps = arguments.positive();
        case "--quick" -> {
          runs = 3;
          calls = 200;
          warmUps = 500;
        }
        case "--pinned" -> pinned = true;
        case "--shared" -> shared = true;
        case "--json" -> json = Optional.of(arguments.path());
        case "--markdown" -> markdown = Optional.of(arguments.path());
        default -> throw arguments.unknown();
      }
    }
    return new JuricOptions(
        root, commit, jdk, ways, runs, calls, warmUps, pinned, shared, json, markdown);
  }

  private static List<Way> ways(String text) {
    List<Way> ways = Arrays.stream(text.split(",", -1)).map(Way::parse).distinct().toList();
    if (!ways.contains(Way.DIRECT)) {
      throw new IllegalArgumentException("without direct there is nothing to compare with");
    }
    return ways;
  }
}

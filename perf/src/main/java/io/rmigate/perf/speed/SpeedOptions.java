package io.rmigate.perf.speed;

import io.rmigate.perf.harness.CommandLine;
import io.rmigate.perf.harness.WorkingTree;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The options of {@code perf/speed}; see {@code perf/speed --help}.
 *
 * @param jdks homes of JDKs, at least one
 * @param before the working tree of an earlier commit, built, which is compared
 * @param send how the relay sends to its WebSockets
 */
record SpeedOptions(
    Comparison comparison,
    WorkingTree tree,
    List<Path> jdks,
    Passes passes,
    String send,
    Optional<Path> before,
    Optional<Path> json) {
  private static final int ROUNDS = 15;
  private static final int QUICK_ROUNDS = 5;

  /**
   * The passes over all systems on each JDK.
   *
   * @param pinned whether to pin in the first pass, the second, and so on
   * @param profile whether to show a profile after each pass
   */
  record Passes(int rounds, List<Boolean> pinned, boolean profile) {
    static Passes of(CommandLine line, Comparison comparison) {
      boolean onlyPinned = line.has("--pinned") || comparison.equals(Comparison.COUNTS);
      boolean onlyUnpinned = line.has("--unpinned");
      return new Passes(
          line.value(
              "--rounds", line.has("--quick") ? QUICK_ROUNDS : ROUNDS, CommandLine::positive),
          onlyPinned == onlyUnpinned ? List.of(true, false) : List.of(onlyPinned),
          line.has("--profile"));
    }
  }

  /**
   * Parses the command line.
   *
   * @throws IllegalArgumentException an option is unknown or its value wrong
   */
  static SpeedOptions parse(String... args) {
    CommandLine line = new CommandLine(args);
    Optional<Path> before = line.find("--before", Path::of);
    Comparison comparison = comparison(line, before);
    List<Path> jdks = line.all("--jdk", CommandLine::jdk);
    SpeedOptions options =
        new SpeedOptions(
            comparison,
            WorkingTree.of(line),
            jdks.isEmpty() ? List.of(WorkingTree.jdk(line)) : jdks,
            Passes.of(line, comparison),
            line.value("--relay-send", "basic", word -> word),
            before,
            line.find("--json", Path::of));
    line.end();
    return options;
  }

  private static Comparison comparison(CommandLine line, Optional<Path> before) {
    boolean services = line.has("--services");
    boolean classRules = line.has("--class-rules");
    if (line.has("--counts")) {
      return Comparison.COUNTS;
    }
    return before.isPresent()
        ? Comparison.BUILDS
        : services ? Comparison.SERVICES : classRules ? Comparison.CLASS_RULES : Comparison.TUNNEL;
  }
}

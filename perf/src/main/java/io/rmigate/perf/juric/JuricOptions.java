package io.rmigate.perf.juric;

import io.rmigate.perf.harness.CommandLine;
import io.rmigate.perf.harness.ResultFiles;
import io.rmigate.perf.harness.WorkingTree;
import io.rmigate.perf.ways.Way;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * The options of {@code perf/papers juric}; see {@code perf/papers --help}.
 *
 * @param shared whether ways share the server, and a gateway where its configuration serves several
 */
record JuricOptions(
    WorkingTree tree,
    Path jdk,
    List<Way> ways,
    Amount amount,
    boolean pinned,
    boolean shared,
    ResultFiles results) {
  /** The ways in the order of the table. */
  static final List<Way> ALL =
      List.of(Way.DIRECT, Way.CONNECT, Way.SERVLET, Way.POST, Way.WEBSOCKET, Way.SOAP, Way.JSON);

  /**
   * How much is measured.
   *
   * @param calls of each operation in a run
   * @param warmUps calls of each operation before the first run
   */
  record Amount(int runs, int calls, int warmUps) {
    private static final Amount USUAL = new Amount(10, 1_000, 5_000);
    private static final Amount QUICK = new Amount(3, 200, 500);

    static Amount of(CommandLine line) {
      Amount usual = line.has("--quick") ? QUICK : USUAL;
      return new Amount(
          line.value("--rounds", usual.runs(), CommandLine::positive),
          line.value("--calls", usual.calls(), CommandLine::positive),
          line.value("--warm-up", usual.warmUps(), CommandLine::positive));
    }
  }

  /**
   * Parses the command line.
   *
   * @throws IllegalArgumentException an option is unknown or its value wrong
   */
  static JuricOptions parse(String... args) {
    CommandLine line = new CommandLine(args);
    line.has("juric"); // the name of the command
    JuricOptions options =
        new JuricOptions(
            WorkingTree.of(line),
            WorkingTree.jdk(line),
            line.value("--ways", ALL, JuricOptions::ways),
            Amount.of(line),
            line.has("--pinned"),
            line.has("--shared"),
            ResultFiles.of(line, "--markdown"));
    line.end();
    return options;
  }

  private static List<Way> ways(String text) {
    List<Way> ways = Arrays.stream(text.split(",", -1)).map(Way::parse).distinct().toList();
    if (!ways.contains(Way.DIRECT)) {
      throw new IllegalArgumentException("without direct there is nothing to compare with");
    }
    return ways;
  }
}

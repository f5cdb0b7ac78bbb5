package io.rmigate.perf.papers;

import io.rmigate.perf.harness.CommandLine;
import io.rmigate.perf.harness.ResultFiles;
import io.rmigate.perf.harness.WorkingTree;
import io.rmigate.perf.link.LinkProfile;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The options of {@code perf/papers}; see {@code perf/papers --help}.
 *
 * @param command names the papers: {@code monads} or {@code bytes}
 * @param registryOnly whether the gateway's policy names the registry's port only; the gateway then
 *     seals grants of the endpoints that the registry names
 */
record PapersOptions(
    String command,
    WorkingTree tree,
    Path jdk,
    LinkProfile link,
    boolean registryOnly,
    int rounds,
    ResultFiles results) {
  private static final List<String> COMMANDS = List.of("monads", "bytes");
  private static final int ROUNDS = 5;

  /**
   * Parses the command line.
   *
   * @throws IllegalArgumentException an option is unknown or its value wrong
   */
  static PapersOptions parse(String... args) {
    CommandLine line = new CommandLine(args);
    WorkingTree tree = WorkingTree.of(line);
    Path jdk = WorkingTree.jdk(line);
    Optional<LinkProfile> link = line.find("--link", LinkProfile::parse);
    boolean registryOnly = line.has("--registry-only");
    int rounds = line.value("--rounds", line.has("--quick") ? 1 : ROUNDS, CommandLine::positive);
    ResultFiles results = ResultFiles.of(line, "--plot");
    List<String> operands = line.operands();
    if (operands.isEmpty()) {
      throw new IllegalArgumentException("expected one of " + String.join(", ", COMMANDS));
    }
    String command = operands.get(0);
    for (String operand : operands) {
      if (!COMMANDS.contains(operand) || !operand.equals(command)) {
        throw new IllegalArgumentException("unknown option " + operand);
      }
    }
    boolean bytes = command.equals("bytes");
    if (bytes && results.shown().isPresent()) {
      throw new IllegalArgumentException("bytes has no --plot");
    }
    return new PapersOptions(
        command,
        tree,
        jdk,
        link.orElseGet(() -> LinkProfile.parse(bytes ? "lan" : "gsm")),
        registryOnly,
        rounds,
        results);
  }
}

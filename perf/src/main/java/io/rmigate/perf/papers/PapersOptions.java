package io.rmigate.perf.papers;

import io.rmigate.perf.harness.Arguments;
import io.rmigate.perf.link.LinkProfile;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The command line; see {@code perf/papers --help}.
 *
 * @param command which papers: {@code monads} or {@code bytes}
 * @param registryOnly whether the gateway's policy names the registry's port and no other: what it
 *     learns from there it then seals for its client
 */
record PapersOptions(
    String command,
    Path root,
    String commit,
    Path jdk,
    LinkProfile link,
    boolean registryOnly,
    int rounds,
    Optional<Path> json,
    Optional<Path> plot) {
  private static final List<String> COMMANDS = List.of("monads", "bytes");
  private static final int ROUNDS = 5;

  /**
   * Reads it.
   *
   * @throws IllegalArgumentException says what is wrong
   */
  static PapersOptions parse(String... args) {
    String command = "";
    Path root = Path.of(".");
    String commit = "unknown";
    Path jdk = Path.of(System.getProperty("java.home"));
    Optional<LinkProfile> link = Optional.empty();
    boolean registryOnly = false;
    int rounds = ROUNDS;
    Optional<Path> json = Optional.empty();
    Optional<Path> plot = Optional.empty();
    Arguments arguments = new Arguments(args);
    while (arguments.next()) {
      switch (arguments.word()) {
        case "--root" -> root = arguments.path();
        case "--commit" -> commit = arguments.value();
        case "--jdk" -> jdk = arguments.path();
        case "--link" -> link = Optional.of(LinkProfile.parse(arguments.value()));
        case "--rounds" -> rounds = arguments.positive();
        case "--quick" -> rounds = 1;
        case "--registry-only" -> registryOnly = true;
        case "--json" -> json = Optional.of(arguments.path());
        case "--plot" -> plot = Optional.of(arguments.path());
        default -> {
          if (!COMMANDS.contains(arguments.word()) || !command.isEmpty()) {
            throw arguments.unknown();
          }
          command = arguments.word();
        }
      }
    }
    if (command.isEmpty()) {
      throw new IllegalArgumentException("expected one of " + String.join(", ", COMMANDS));
    }
    if (plot.isPresent() && command.equals("bytes")) {
      throw new IllegalArgumentException("bytes has no --plot");
    }
    String usual = command.equals("bytes") ? "lan" : "gsm";
    return new PapersOptions(
        command,
        root,
        commit,
        jdk,
        link.orElseGet(() -> LinkProfile.parse(usual)),
        registryOnly,
        rounds,
        json,
        plot);
  }
}

package io.rmigate.perf.papers;

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
    for (int i = 0; i < args.length; i++) {
      switch (args[i]) {
        case "--root" -> root = Path.of(value(args, ++i));
        case "--commit" -> commit = value(args, ++i);
        case "--jdk" -> jdk = Path.of(value(args, ++i));
        case "--link" -> link = Optional.of(LinkProfile.parse(value(args, ++i)));
        case "--rounds" -> rounds = positive(value(args, ++i));
        case "--quick" -> rounds = 1;
        case "--registry-only" -> registryOnly = true;
        case "--json" -> json = Optional.of(Path.of(value(args, ++i)));
        case "--plot" -> plot = Optional.of(Path.of(value(args, ++i)));
        default -> {
          if (!COMMANDS.contains(args[i]) || !command.isEmpty()) {
            throw new IllegalArgumentException("unknown option " + args[i]);
          }
          command = args[i];
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

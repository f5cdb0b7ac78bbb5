package io.rmigate.gateway.boxes;

import io.rmigate.gateway.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A client of the depot on its way, and what its log says of that. */
final class Traveller implements AutoCloseable {
  private static final Duration SOON = Duration.ofMinutes(3);
  private static final Pattern ANSWER = Pattern.compile("^(done|failed) (.*)$");

  /** What the MBean says of a server that is reached over the link. */
  private static final String OVER_LINK = "gateway";

  /** The agent's reason where the best way was taken. */
  private static final String NOTHING_BETTER = "it answers";

  /** The agent has noticed a lost connection, or moves the session beside a silent one. */
  private static final Pattern LOST =
      Pattern.compile("link lost, resuming|nothing heard for .* ms, connecting beside");

  /**
   * By which rung its calls go.
   *
   * @param why as its MBean says it
   */
  record Standing(Rung rung, String why) {}

  private final ChildJvm jvm;
  private final String server;

  /**
   * @param server host of the servers that it calls
   */
  Traveller(ChildJvm jvm, String server) {
    this.jvm = jvm;
    this.server = server;
  }

  /** Writes the logging configuration that clients need for {@link #losses}. */
  static Path loggingIn(Path directory) throws IOException {
    return Files.writeString(
        directory.resolve("logging.properties"),
        """
        handlers=java.util.logging.ConsoleHandler
        java.util.logging.ConsoleHandler.level=FINE
        java.util.logging.SimpleFormatter.format=%1$tT.%1$tL %4$s %5$s%6$s%n
        io.rmigate.client.level=FINE
        """);
  }

  /**
   * Has it do something.
   *
   * @return what it says behind {@code done}
   * @throws AssertionError it has failed, or does not answer
   */
  String ask(String command) throws InterruptedException {
    Matcher answer = jvm.ask(command, ANSWER, SOON);
    if (answer.group(1).equals("failed")) {
      throw new AssertionError(command + ": " + answer.group(2));
    }
    return answer.group(2);
  }

  /**
   * Where it stands now, by what its MBean says of the ways to servers and gateway.
   *
   * @throws AssertionError its calls do not all go by the same rung
   */
  Standing standing() throws InterruptedException {
    Map<String, String[]> servers = new TreeMap<>();
    Standing link = new Standing(Rung.NONE, "");
    for (String line : ask("ways").split("\t", -1)) {
      String[] words = line.split(": ", 3); // destination, way, why
      if (words[0].contains("://")) {
        link = standing(words);
      } else if (words[0].startsWith(server + ":")) {
        servers.put(words[0], words);
      }
    }
    Standing overLink = link;
    List<Standing> all = servers.values().stream().map(of -> standing(of, overLink)).toList();
    if (all.stream().map(Standing::rung).distinct().count() > 1) {
      throw new AssertionError("its calls go by several ways: " + all);
    }
    return all.stream().findFirst().orElse(new Standing(Rung.NONE, ""));
  }

  private static Standing standing(String[] words) {
    return new Standing(Rung.valueOf(words[1].toUpperCase(Locale.ROOT)), words[2]);
  }

  private static Standing standing(String[] server, Standing link) {
    if (!server[1].equals(OVER_LINK)) {
      return standing(server);
    }
    return link.why().equals(NOTHING_BETTER) ? new Standing(link.rung(), server[2]) : link;
  }

  /** How often its link was lost, or silent for too long. */
  int losses() {
    return (int) jvm.output().stream().filter(line -> LOST.matcher(line).find()).count();
  }

  /** All it has written. */
  String log() {
    return String.join("\n", jvm.output());
  }

  @Override
  public void close() {
    jvm.close();
  }
}

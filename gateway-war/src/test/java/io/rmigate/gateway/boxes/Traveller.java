package io.rmigate.gateway.boxes;

import io.rmigate.gateway.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A client of the depot on its way, and what its log says of that. */
final class Traveller implements AutoCloseable {
  private static final Duration SOON = Duration.ofMinutes(3);
  private static final Pattern ANSWER = Pattern.compile("^(done|failed) (.*)$");
  private static final Pattern LINK =
      Pattern.compile("link .*(?:open|resumed|better way): (\\w+) to ");
  private static final Pattern LOST = Pattern.compile("link lost, resuming");

  private final ChildJvm jvm;

  Traveller(ChildJvm jvm) {
    this.jvm = jvm;
  }

  /** Writes the logging configuration that clients need for {@link #rung} and {@link #losses}. */
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

  /** Where it stands now. */
  Rung rung() {
    Rung rung = Rung.NONE;
    for (String line : jvm.output()) {
      Matcher link = LINK.matcher(line);
      if (link.find()) {
        rung = link.group(1).equals("POST") ? Rung.POST : Rung.WEBSOCKET;
      }
    }
    return rung;
  }

  /** How often it has lost its link. */
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

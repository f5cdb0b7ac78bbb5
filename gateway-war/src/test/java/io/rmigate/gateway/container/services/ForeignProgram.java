package io.rmigate.gateway.container.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A program that is not Java's. One at a time in a directory.
 *
 * @param directory for what it says
 */
record ForeignProgram(Path directory, List<String> command) {
  private static final long LIMIT_SECONDS = 120;

  /** A resource of the tests, as a file there. */
  static Path file(String resource, Path directory) throws IOException {
    try (InputStream in = ForeignProgram.class.getResourceAsStream(resource)) {
      return Files.write(
          directory.resolve(Path.of(resource).getFileName().toString()), in.readAllBytes());
    }
  }

  /**
   * Skips the test where it cannot be run.
   *
   * @param what is not installed then
   */
  void needed(String what) throws InterruptedException {
    boolean there;
    try {
      there = ended(start(List.of())) == 0;
    } catch (IOException e) {
      there = false;
    }
    assumeTrue(there, what + " is not installed");
  }

  /** Runs it to its end, which must be a good one; returns all that it has said. */
  String output(String... arguments) throws IOException, InterruptedException {
    int status = ended(start(List.of(arguments)));
    String output = Files.readString(log(), StandardCharsets.UTF_8);
    assertThat(status).as("%s: %s", command.get(0), output).isZero();
    return output;
  }

  private Path log() {
    return directory.resolve("program.log");
  }

  private Process start(List<String> arguments) throws IOException {
    List<String> whole = new ArrayList<>(command);
    whole.addAll(arguments);
    return new ProcessBuilder(whole)
        .redirectErrorStream(true)
        .redirectOutput(log().toFile())
        .start();
  }

  private int ended(Process process) throws InterruptedException {
    try {
      assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).as("%s ended", command).isTrue();
      return process.exitValue();
    } finally {
      process.destroyForcibly();
    }
  }
}

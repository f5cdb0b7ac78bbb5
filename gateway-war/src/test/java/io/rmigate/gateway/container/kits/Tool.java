package io.rmigate.gateway.container.kits;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** A program that judges a kit, or runs it; looked for where {@code deploy/get-tools} puts them. */
record Tool(Path program) {
  private static final Path GOT = Path.of("../.rmigate/tools/bin");

  /**
   * Finds it, or skips the test.
   *
   * @param from where it is to be had
   */
  static Tool find(String name, String from) {
    List<Path> places =
        Stream.concat(
                Stream.of(GOT, Path.of("/usr/sbin")),
                Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1)).map(Path::of))
            .map(directory -> directory.resolve(name).toAbsolutePath().normalize())
            .filter(Files::isExecutable)
            .toList();
    Assumptions.assumeFalse(places.isEmpty(), () -> "there is no " + name + ": " + from);
    return new Tool(places.get(0));
  }

  /** Finds one of those that {@code deploy/get-tools} gets, or skips the test. */
  static Tool find(String name) {
    return find(name, "deploy/get-tools gets it");
  }

  /** Runs it to its end, which has to be a good one; returns what it has said. */
  String succeeds(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(program.toString());
    command.addAll(Arrays.asList(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(String.join(" ", command) + "\n" + output).isZero();
    return output;
  }
}

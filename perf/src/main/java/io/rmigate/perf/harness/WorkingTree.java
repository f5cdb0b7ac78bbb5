package io.rmigate.perf.harness;

import java.nio.file.Path;

/**
 * The working tree that a command measures. The scripts put its options in front of all others.
 *
 * @param commit its commit, for the results
 */
public record WorkingTree(Path root, String commit) {
  /** Words that the scripts put in front of those of the user. */
  static final int WORDS = 4;

  /** Takes {@code --root} and {@code --commit}. */
  public static WorkingTree of(CommandLine line) {
    return new WorkingTree(
        line.value("--root", Path.of("."), Path::of),
        line.value("--commit", "unknown", word -> word));
  }

  /** Takes {@code --jdk}: the home of the measured JDK, by default of this one. */
  public static Path jdk(CommandLine line) {
    return line.value("--jdk", Path.of(System.getProperty("java.home")), CommandLine::jdk);
  }
}

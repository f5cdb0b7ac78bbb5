package io.rmigate.gateway.policy.type;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Classes that no honest program sends unasked: {@code hostile-classes.txt} lists them. No plain
 * class or stand-in of the jars passes that is one of them, unless a line of the configuration
 * permits it. Immutable; any thread.
 */
public final class HostileClasses {
  private static final List<ClassPattern> PATTERNS = read("hostile-classes.txt");

  private HostileClasses() {}

  /** Whether a class is one of them. */
  public static boolean has(String name) {
    return PATTERNS.stream().anyMatch(pattern -> pattern.matches(name));
  }

  private static List<ClassPattern> read(String resource) {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                HostileClasses.class.getResourceAsStream(resource), StandardCharsets.UTF_8))) {
      return lines
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(line -> ClassPattern.parse(line).orElseThrow())
          .toList();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}

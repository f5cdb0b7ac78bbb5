package io.rmigate.gateway.policy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.stream.Collectors;

/** The names in {@code value-types.txt} and {@code client-value-types.txt}. */
final class ValueTypes {
  static final Set<String> NAMES = read("value-types.txt");

  /** Those of them that only messages to clients may carry. */
  static final Set<String> FOR_CLIENTS = read("client-value-types.txt");

  private ValueTypes() {}

  private static Set<String> read(String file) {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                ValueTypes.class.getResourceAsStream(file), StandardCharsets.UTF_8))) {
      return lines
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .collect(Collectors.toUnmodifiableSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e); // of our own jar
    }
  }
}

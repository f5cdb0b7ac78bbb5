package io.rmigate.perf.harness;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The command line of a program. Each option is taken once, with its default; {@link #end} refuses
 * the words that nothing has taken. Confined to one thread.
 */
public final class CommandLine {
  private final List<String> words;

  /** A command line of these words. */
  public CommandLine(String... words) {
    this.words = new ArrayList<>(List.of(words));
  }

  /**
   * All values of an option that may be repeated, in their order.
   *
   * @throws IllegalArgumentException a value is missing or wrong
   */
  public <T> List<T> all(String option, Function<String, T> parser) {
    List<T> values = new ArrayList<>();
    for (int at = words.indexOf(option); at >= 0; at = words.indexOf(option)) {
      if (at + 1 == words.size()) {
        throw new IllegalArgumentException(option + " needs a value");
      }
      words.remove(at);
      String value = words.remove(at);
      try {
        values.add(parser.apply(value));
      } catch (IllegalArgumentException wrong) {
        throw new IllegalArgumentException(option + " " + value + ": " + wrong.getMessage(), wrong);
      }
    }
    return values;
  }

  /** The last value of an option. */
  public <T> Optional<T> find(String option, Function<String, T> parser) {
    List<T> values = all(option, parser);
    return values.isEmpty() ? Optional.empty() : Optional.of(values.get(values.size() - 1));
  }

  /** The last value of an option, or its default. */
  public <T> T value(String option, T absent, Function<String, T> parser) {
    return find(option, parser).orElse(absent);
  }

  /** Whether an option without a value is there. */
  public boolean has(String option) {
    return words.removeIf(option::equals);
  }

  /** The words that are no options; taken after all options. */
  public List<String> operands() {
    List<String> operands = words.stream().takeWhile(word -> !word.startsWith("-")).toList();
    words.subList(0, operands.size()).clear();
    end();
    return operands;
  }

  /**
   * Ends reading.
   *
   * @throws IllegalArgumentException there are words that nothing has taken
   */
  public void end() {
    if (!words.isEmpty()) {
      throw new IllegalArgumentException("unknown option " + words.get(0));
    }
  }

  /** A whole number of at least 1. */
  public static int positive(String text) {
    int number;
    try {
      number = Integer.parseInt(text);
    } catch (NumberFormatException noNumber) {
      throw new IllegalArgumentException("expected a whole number", noNumber);
    }
    if (number < 1) {
      throw new IllegalArgumentException("expected at least 1");
    }
    return number;
  }

  /** The home of a JDK. */
  public static Path jdk(String text) {
    Path home = Path.of(text);
    if (!Files.isDirectory(home.resolve("bin"))) {
      throw new IllegalArgumentException("expected the home of a JDK, with a directory bin");
    }
    return home;
  }
}

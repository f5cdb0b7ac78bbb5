package io.rmigate.perf.harness;

import java.nio.file.Path;

/** The words of a command line, one after the other. Confined to one thread. */
public final class Arguments {
  private final String[] words;
  private int at = -1;

  /** Before the first. */
  public Arguments(String... words) {
    this.words = words.clone();
  }

  /** Goes on to the next; false if there is none. */
  public boolean next() {
    at++;
    return at < words.length;
  }

  /** The one that it is at. */
  public String word() {
    return words[at];
  }

  /**
   * What follows an option; goes on to there.
   *
   * @throws IllegalArgumentException nothing does
   */
  public String value() {
    String option = word();
    if (!next()) {
      throw new IllegalArgumentException(option + " needs a value");
    }
    return word();
  }

  /** What follows an option, as a path. */
  public Path path() {
    return Path.of(value());
  }

  /** What follows an option, as a number of at least 1. */
  public int positive() {
    int number = Integer.parseInt(value());
    if (number < 1) {
      throw new IllegalArgumentException("expected at least 1, got " + number);
    }
    return number;
  }

  /** Nobody knows the option that it is at. */
  public IllegalArgumentException unknown() {
    return new IllegalArgumentException("unknown option " + word());
  }
}

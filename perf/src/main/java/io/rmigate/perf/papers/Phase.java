package io.rmigate.perf.papers;

import java.util.ArrayList;
import java.util.List;

/**
 * Something a client did, and when. Its times are {@link System#nanoTime}, which on Linux is the
 * same in all processes, so that what the link carried meanwhile can be told.
 */
record Phase(String name, long fromNanos, long toNanos) {
  private static final String START = "phases";

  double seconds() {
    return (toNanos - fromNanos) / 1e9;
  }

  /** One line for all: how a client tells the driver. */
  static String line(List<Phase> phases) {
    StringBuilder line = new StringBuilder(START);
    for (Phase phase : phases) {
      line.append(' ').append(phase.name);
      line.append('=').append(phase.fromNanos).append("..").append(phase.toNanos);
    }
    return line.toString();
  }

  /**
   * The opposite of {@link #line}.
   *
   * @throws IllegalArgumentException it is not such a line; the message holds it
   */
  static List<Phase> parse(String line) {
    String[] words = line.strip().split(" +", -1);
    if (!words[0].equals(START)) {
      throw new IllegalArgumentException("expected phases, got: " + line);
    }
    List<Phase> phases = new ArrayList<>();
    for (String word : List.of(words).subList(1, words.length)) {
      int equals = word.indexOf('=');
      int dots = word.indexOf("..");
      if (equals < 1 || dots < equals) {
        throw new IllegalArgumentException("expected name=from..to, got " + word + ": " + line);
      }
      phases.add(
          new Phase(
              word.substring(0, equals),
              Long.parseLong(word.substring(equals + 1, dots)),
              Long.parseLong(word.substring(dots + 2))));
    }
    return phases;
  }
}

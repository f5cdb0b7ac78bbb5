package io.rmigate.gateway.policy;

import java.util.List;
import java.util.Locale;

/** What is done with codebases in the annotations of classes. */
public enum Codebases {
  /** They go on. */
  KEEP,

  /** What names them is left out on the way. */
  DROP,

  /** What names them is refused. */
  REFUSE;

  private static final String KEY = "codebases: ";

  /** As in a configuration; two of them can be said in another way, too. */
  public static final List<String> WORDS = List.of("keep", "drop", "refuse", "true", "false");

  /** By one of {@link #WORDS}. */
  public static Codebases of(String word) {
    return switch (word) {
      case "true" -> KEEP;
      case "false" -> REFUSE;
      default -> valueOf(word.toUpperCase(Locale.ROOT));
    };
  }

  /** The line of {@code classes} that says so. */
  String line() {
    return KEY + this;
  }

  /** Whether that is what would have to be said. */
  static boolean isRemedy(String remedy) {
    return remedy.startsWith(KEY);
  }

  /** Whether these let pass what would pass with that line. */
  boolean allow(String remedy) {
    return this == KEEP || (this == DROP && remedy.equals(DROP.line()));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}

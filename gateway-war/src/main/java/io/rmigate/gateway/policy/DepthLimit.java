package io.rmigate.gateway.policy;

/**
 * How many objects of a message may stand within each other: what is said against a message of
 * more, and what would allow it.
 */
public final class DepthLimit {
  /** The least that may be configured. */
  public static final int LEAST = 10;

  /** The most that may be configured. */
  public static final int MOST = 100_000;

  private static final String KEY = "max-depth: ";

  private DepthLimit() {}

  /** What speaks against a message that is so deep, or deeper. */
  static Objection exceeded(int depth) {
    return new Objection(
        Objection.Rule.STREAM, "TOO_DEEP", depth > MOST ? "" : KEY + enoughFor(depth));
  }

  /** A power of two, so that messages that grow make few notes; 0 for a message of no depth. */
  static int enoughFor(int depth) {
    return Math.min(MOST, Integer.highestOneBit(Math.max(0, depth - 1)) << 1);
  }

  /** Whether that allows more depth. */
  static boolean isRemedy(String remedy) {
    return remedy.startsWith(KEY);
  }

  /** How much it allows. */
  static int of(String remedy) {
    return Integer.parseInt(remedy.substring(KEY.length()));
  }

  /** The line that allows so much. */
  static String line(int depth) {
    return KEY + depth;
  }
}

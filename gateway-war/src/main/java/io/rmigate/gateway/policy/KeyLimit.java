package io.rmigate.gateway.policy;

/**
 * How many keys a message may have that its receiver may have to compare each with each: what is
 * said against a message of more, and what would allow it.
 */
public final class KeyLimit {
  /** The least that may be configured. */
  public static final int LEAST = 100;

  /** The most that may be configured: an hour of a receiver. */
  public static final int MOST = 1 << 20;

  private static final String KEY = "key-limit: ";

  private KeyLimit() {}

  /** What speaks against a message of so many. */
  static Objection exceeded(long keys) {
    return new Objection(
        Objection.Rule.STREAM, "TOO_MANY_KEYS", keys > MOST ? "" : KEY + enoughFor(keys));
  }

  /** A power of two, so that messages that grow make few notes. */
  private static int enoughFor(long keys) {
    return Math.max(1 << 14, Integer.highestOneBit((int) keys - 1) << 1);
  }

  /** Whether that allows more keys. */
  static boolean isRemedy(String remedy) {
    return remedy.startsWith(KEY);
  }

  /** How many it allows. */
  static int of(String remedy) {
    return Integer.parseInt(remedy.substring(KEY.length()));
  }

  /** The line that allows so many. */
  static String line(int keys) {
    return KEY + keys;
  }
}

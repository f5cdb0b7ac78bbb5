package io.rmigate.gateway.policy.remote;

import java.util.stream.Stream;

/** Access to JMX that an entry of {@code targets} permits; a later constant permits more. */
public enum JmxAccess {
  /** JMX is refused. */
  NONE("false"),

  /** Attributes, metadata and notifications, and nothing that changes a server. */
  READ("read"),

  /** All methods of JMX that need no {@link JmxGrant}. */
  FULL("true");

  private final String word;

  JmxAccess(String word) {
    this.word = word;
  }

  /** The words that configurations use. */
  public static String[] words() {
    return Stream.of(values()).map(JmxAccess::toString).toArray(String[]::new);
  }

  /**
   * The access of that word.
   *
   * @throws IllegalArgumentException there is none
   */
  public static JmxAccess of(String word) {
    return Stream.of(values())
        .filter(access -> access.word.equals(word))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(word));
  }

  /** Whether any of JMX is permitted. */
  public boolean isSpoken() {
    return this != NONE;
  }

  /** The line of an entry that permits it. */
  public String line() {
    return "jmx: " + word;
  }

  /** The word that configurations use. */
  @Override
  public String toString() {
    return word;
  }
}

package io.rmigate.testing;

/**
 * The two tiers of tests. {@code mvn verify} runs the tests without a tag, which cover each feature
 * on the stand-alone gateway; {@code mvn verify -Pfull} runs all.
 */
public final class Tier {
  /** The JUnit tag of the tests that only the full build runs. */
  public static final String FULL = "full";

  /** Whether this is the full build, as the system property {@code rmigate.test.full} says. */
  public static boolean isFull() {
    return Boolean.getBoolean("rmigate.test.full");
  }

  private Tier() {}
}

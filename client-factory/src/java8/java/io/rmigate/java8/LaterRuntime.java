package io.rmigate.java8;

/** Additions to {@link Runtime}. */
public final class LaterRuntime {
  private LaterRuntime() {}

  public static Version version() {
    return new Version();
  }

  /** The class Runtime.Version. */
  public static final class Version {
    Version() {}

    public int feature() {
      String release = System.getProperty("java.specification.version"); // 1.8, 9, 10, ...
      return Integer.parseInt(release.startsWith("1.") ? release.substring(2) : release);
    }

    @Override
    public String toString() {
      return System.getProperty("java.version");
    }
  }
}

package io.rmigate.java8;

/** Additions to {@link ClassLoader}. */
public final class LaterClassLoader {
  private LaterClassLoader() {}

  /** That of extensions on Java 8. */
  public static ClassLoader getPlatformClassLoader() {
    return ClassLoader.getSystemClassLoader().getParent();
  }
}

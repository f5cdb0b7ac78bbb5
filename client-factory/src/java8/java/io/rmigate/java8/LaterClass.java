package io.rmigate.java8;

/** Additions to {@link Class}. */
public final class LaterClass {
  private LaterClass() {}

  public static LaterModule getModule(Class<?> type) {
    return LaterModule.of(type);
  }

  public static String getPackageName(Class<?> type) {
    String name = type.getName();
    return name.substring(0, Math.max(0, name.lastIndexOf('.')));
  }
}

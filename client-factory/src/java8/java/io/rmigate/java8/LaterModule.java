package io.rmigate.java8;

/**
 * The class java.lang.Module, where there are no modules: what belongs to the JRE counts as named.
 */
public final class LaterModule {
  private final boolean named;

  private LaterModule(boolean named) {
    this.named = named;
  }

  static LaterModule of(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    return new LaterModule(loader == null || loader == LaterClassLoader.getPlatformClassLoader());
  }

  public boolean isNamed() {
    return named;
  }
}

package io.rmigate.java8;

/**
 * The class java.lang.Module, which Java 9 has, behind the name by which the classes for Java 8
 * know it.
 */
public final class LaterModule {
  final Module module;

  private LaterModule(Module module) {
    this.module = module;
  }

  static LaterModule of(Class<?> type) {
    return new LaterModule(type.getModule());
  }

  public boolean isNamed() {
    return module.isNamed();
  }
}

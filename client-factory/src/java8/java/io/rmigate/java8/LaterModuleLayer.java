package io.rmigate.java8;

import java.util.Optional;

/** The class java.lang.ModuleLayer, where there are no modules: all of the JDK is there. */
public final class LaterModuleLayer {
  private LaterModuleLayer() {}

  private static final LaterModuleLayer BOOT = new LaterModuleLayer();

  public static LaterModuleLayer boot() {
    return BOOT;
  }

  public Optional<LaterModule> findModule(String name) {
    return Optional.of(LaterModule.of(Object.class));
  }
}

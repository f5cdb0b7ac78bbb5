package io.rmigate.java8;

import java.util.Optional;

/** The boot layer of Java 9. */
public final class LaterModuleLayer {
  private LaterModuleLayer() {}

  private static final LaterModuleLayer BOOT = new LaterModuleLayer();

  public static LaterModuleLayer boot() {
    return BOOT;
  }

  public Optional<LaterModule> findModule(String name) {
    return ModuleLayer.boot().findModule(name).map(module -> LaterModule.of(Object.class));
  }
}

package io.rmigate.java8;

import java.util.Optional;

/**
 * The interface java.lang.module.ModuleFinder, where there are no modules. Not asked: all of the
 * JDK is there.
 */
public interface LaterModuleFinder {
  static LaterModuleFinder ofSystem() {
    return name -> Optional.of(name);
  }

  Optional<?> find(String name);
}

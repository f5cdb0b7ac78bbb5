package io.rmigate.java8;

import java.lang.module.ModuleFinder;
import java.util.Optional;

/** The modules of the run-time image of Java 9. */
public interface LaterModuleFinder {
  static LaterModuleFinder ofSystem() {
    return name -> ModuleFinder.ofSystem().find(name);
  }

  Optional<?> find(String name);
}

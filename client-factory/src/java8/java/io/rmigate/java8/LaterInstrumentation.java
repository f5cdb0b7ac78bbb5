package io.rmigate.java8;

import java.lang.instrument.Instrumentation;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Additions to {@link Instrumentation}, where there are no modules: all packages are open. */
public final class LaterInstrumentation {
  private LaterInstrumentation() {}

  public static void redefineModule(
      Instrumentation instrumentation,
      LaterModule module,
      Set<LaterModule> reads,
      Map<String, Set<LaterModule>> exports,
      Map<String, Set<LaterModule>> opens,
      Set<Class<?>> uses,
      Map<Class<?>, List<Class<?>>> provides) {}
}

package io.rmigate.java8;

import java.lang.instrument.Instrumentation;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Additions to {@link Instrumentation}. */
public final class LaterInstrumentation {
  private LaterInstrumentation() {}

  public static void redefineModule(
      Instrumentation instrumentation,
      LaterModule module,
      Set<LaterModule> reads,
      Map<String, Set<LaterModule>> exports,
      Map<String, Set<LaterModule>> opens,
      Set<Class<?>> uses,
      Map<Class<?>, List<Class<?>>> provides) {
    instrumentation.redefineModule(
        module.module, modules(reads), modules(exports), modules(opens), uses, provides);
  }

  private static Map<String, Set<Module>> modules(Map<String, Set<LaterModule>> packages) {
    return packages.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, entry -> modules(entry.getValue())));
  }

  private static Set<Module> modules(Set<LaterModule> modules) {
    return modules.stream().map(module -> module.module).collect(Collectors.toSet());
  }
}

package io.rmigate.perf.papers;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** Notes the phases of a workload. Confined to one thread. */
final class Stopwatch {
  private final List<Phase> phases = new ArrayList<>();

  /** Does it, and notes when it began and ended. */
  <T> T measure(String name, Callable<T> work) throws Exception {
    long from = System.nanoTime();
    T result = work.call();
    phases.add(new Phase(name, from, System.nanoTime()));
    return result;
  }

  /** Lets time pass, in which what is sent one way may still leave. */
  void pause(String name, long millis) throws Exception {
    measure(
        name,
        () -> {
          Thread.sleep(millis);
          return null;
        });
  }

  List<Phase> phases() {
    return phases;
  }
}

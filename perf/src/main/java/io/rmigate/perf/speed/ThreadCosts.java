package io.rmigate.perf.speed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The kernel's figures for the live threads of a process: voluntary switches, with which a thread
 * waits for another one, and CPU time.
 */
record ThreadCosts(Map<String, Long> switches, Map<String, Long> runNanos) {
  private static final String VOLUNTARY = "voluntary_ctxt_switches:";

  static ThreadCosts of(long pid) throws IOException {
    Map<String, Long> switches = new HashMap<>();
    Map<String, Long> runNanos = new HashMap<>();
    try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
      for (Path thread : (Iterable<Path>) threads::iterator) {
        String id = thread.getFileName().toString();
        try {
          switches.put(id, voluntary(Files.readAllLines(thread.resolve("status"))));
          String run = Files.readString(thread.resolve("schedstat")).split(" ", 2)[0];
          runNanos.put(id, Long.parseLong(run));
        } catch (IOException ended) {
          switches.remove(id); // while we looked
        }
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return new ThreadCosts(switches, runNanos);
  }

  static long voluntary(List<String> status) {
    return status.stream()
        .filter(line -> line.startsWith(VOLUNTARY))
        .mapToLong(line -> Long.parseLong(line.substring(VOLUNTARY.length()).strip()))
        .findFirst()
        .orElse(0);
  }

  long switchesSince(ThreadCosts earlier) {
    return since(switches, earlier.switches);
  }

  long runNanosSince(ThreadCosts earlier) {
    return since(runNanos, earlier.runNanos);
  }

  private static long since(Map<String, Long> now, Map<String, Long> earlier) {
    return now.entrySet().stream()
        .mapToLong(e -> e.getValue() - earlier.getOrDefault(e.getKey(), 0L))
        .sum();
  }
}

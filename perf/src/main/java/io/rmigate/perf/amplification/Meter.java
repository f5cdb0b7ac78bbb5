package io.rmigate.perf.amplification;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.Map;

/**
 * The CPU time of both sides: of the thread that plays one and then the other, and of the gateway's
 * own threads, which are known by their names. What looking at the clock takes is left out.
 * Confined to the thread that plays.
 */
final class Meter {
  private static final String OF_GATEWAY = "rmigate-";
  private static final int LOOKS = 2_000;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** What one side does. */
  interface Part {
    void play() throws IOException;
  }

  private final long lookNanos;
  private final Map<Long, Long> before;
  private long clientNanos;
  private long gatewayNanos;

  private Meter(long lookNanos, Map<Long, Long> before) {
    this.lookNanos = lookNanos;
    this.before = before;
  }

  /** One that counts from here on. */
  static Meter begin() {
    return new Meter(lookNanos(), gatewayThreads());
  }

  /** For what is no part of a request, and is asked for nothing. */
  static Meter nobodys() {
    return new Meter(0, new HashMap<>());
  }

  private static long now() {
    return THREADS.getCurrentThreadCpuTime();
  }

  private static long lookNanos() {
    long begin = now();
    for (int i = 1; i < LOOKS; i++) {
      now();
    }
    return (now() - begin) / LOOKS;
  }

  private static Map<Long, Long> gatewayThreads() {
    Map<Long, Long> times = new HashMap<>();
    for (ThreadInfo thread : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
      if (thread != null && thread.getThreadName().startsWith(OF_GATEWAY)) {
        times.put(thread.getThreadId(), THREADS.getThreadCpuTime(thread.getThreadId()));
      }
    }
    return times;
  }

  /** The client makes something, or sends it. */
  void client(Part part) throws IOException {
    long begin = now();
    part.play();
    clientNanos += now() - begin - lookNanos;
  }

  /** The gateway takes something. */
  void gateway(Part part) throws IOException {
    long begin = now();
    part.play();
    gatewayNanos += now() - begin - lookNanos;
  }

  /** What is no part of a request, though the gateway's own threads work for it. */
  void aside(Part part) throws IOException {
    Map<Long, Long> then = gatewayThreads();
    part.play();
    gatewayThreads()
        .forEach(
            (thread, nanos) ->
                before.merge(thread, nanos - then.getOrDefault(thread, 0L), Long::sum));
  }

  /** Of the client so far. */
  long clientNanos() {
    return Math.max(1, clientNanos);
  }

  /** Of the thread that plays. */
  long playedNanos() {
    return clientNanos + gatewayNanos;
  }

  /** Of the gateway so far, with what its own threads have done since this was made. */
  long gatewayNanos() {
    long ofThreads = 0;
    for (Map.Entry<Long, Long> thread : gatewayThreads().entrySet()) {
      ofThreads += Math.max(0, thread.getValue() - before.getOrDefault(thread.getKey(), 0L));
    }
    return gatewayNanos + ofThreads;
  }
}

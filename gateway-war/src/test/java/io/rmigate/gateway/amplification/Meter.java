package io.rmigate.gateway.amplification;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts a resource that client and gateway use. One thread plays both sides in turns; the
 * gateway's own threads are known by their names. The cost of reading the count is subtracted.
 * Confined to the thread that plays.
 */
final class Meter {
  private static final String GATEWAY_THREAD = "rmigate-";
  private static final int READINGS = 2_000;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** A resource that threads use, in the unit of its name. */
  enum Resource {
    CPU_NANOS {
      @Override
      long used(long thread) {
        return THREADS.getThreadCpuTime(thread);
      }
    },
    ALLOCATED_BYTES {
      @Override
      long used(long thread) {
        return THREADS.getThreadAllocatedBytes(thread);
      }
    };

    /** The amount that a thread has used since it began. */
    abstract long used(long thread);
  }

  /** A part of a request, on one side. */
  interface Part {
    void play() throws IOException;
  }

  private final Resource resource;
  private final long player = Thread.currentThread().getId();
  private final long readingCost;
  private final Map<Long, Long> before;
  private long client;
  private long gateway;

  private Meter(Resource resource, Map<Long, Long> before, boolean subtractsReadings) {
    this.resource = resource;
    this.before = before;
    this.readingCost = subtractsReadings ? readingCost() : 0;
  }

  /** A meter that counts from now on. */
  static Meter begin(Resource resource) {
    return new Meter(resource, gatewayThreads(resource), true);
  }

  /** A meter for the preparation of requests, whose figures are not used. */
  static Meter unread() {
    return new Meter(Resource.CPU_NANOS, new HashMap<>(), false);
  }

  private long now() {
    return resource.used(player);
  }

  private long readingCost() {
    long begin = now();
    for (int i = 1; i < READINGS; i++) {
      now();
    }
    return (now() - begin) / READINGS;
  }

  private static Map<Long, Long> gatewayThreads(Resource resource) {
    Map<Long, Long> used = new HashMap<>();
    for (ThreadInfo thread : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
      if (thread != null && thread.getThreadName().startsWith(GATEWAY_THREAD)) {
        used.put(thread.getThreadId(), resource.used(thread.getThreadId()));
      }
    }
    return used;
  }

  /** Counts work of the client. */
  void client(Part part) throws IOException {
    long begin = now();
    part.play();
    client += now() - begin - readingCost;
  }

  /** Counts work of the gateway. */
  void gateway(Part part) throws IOException {
    long begin = now();
    part.play();
    gateway += now() - begin - readingCost;
  }

  /** Leaves out work that is no part of a request, also that of the gateway's own threads. */
  void aside(Part part) throws IOException {
    Map<Long, Long> then = gatewayThreads(resource);
    part.play();
    gatewayThreads(resource)
        .forEach(
            (thread, used) ->
                before.merge(thread, used - then.getOrDefault(thread, 0L), Long::sum));
  }

  /** The client's use so far. */
  long client() {
    return Math.max(1, client);
  }

  /** The use of both sides by the thread that plays them. */
  long played() {
    return client + gateway;
  }

  /** The gateway's use so far, with that of its own threads since this meter began. */
  long gateway() {
    long ofThreads = 0;
    for (Map.Entry<Long, Long> thread : gatewayThreads(resource).entrySet()) {
      ofThreads += Math.max(0, thread.getValue() - before.getOrDefault(thread.getKey(), 0L));
    }
    return gateway + ofThreads;
  }
}

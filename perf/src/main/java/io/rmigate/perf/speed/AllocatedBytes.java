package io.rmigate.perf.speed;

import com.sun.management.ThreadMXBean;
import java.util.HashMap;
import java.util.Map;

/**
 * What each live thread of a JVM has allocated so far. By thread, since JDK 17 has no total; what a
 * thread allocates that ends between two looks is missed, which in a steady state is none.
 */
record AllocatedBytes(Map<Long, Long> byThread) {

  static AllocatedBytes of(ThreadMXBean threads) {
    long[] ids = threads.getAllThreadIds();
    long[] bytes = threads.getThreadAllocatedBytes(ids);
    Map<Long, Long> byThread = new HashMap<>();
    for (int i = 0; i < ids.length; i++) {
      if (bytes[i] >= 0) {
        byThread.put(ids[i], bytes[i]);
      }
    }
    return new AllocatedBytes(byThread);
  }

  long since(AllocatedBytes earlier) {
    return byThread.entrySet().stream()
        .mapToLong(e -> e.getValue() - earlier.byThread.getOrDefault(e.getKey(), 0L))
        .sum();
  }
}

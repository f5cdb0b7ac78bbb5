package io.rmigate.gateway.callback;

import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The numbers of the streams that the gateway opens: even, the lowest free one first (PROTOCOL.md,
 * section 11). Numbers are given and freed under the session's lock; {@link #get} needs none.
 */
final class StreamNumbers {
  private final ConcurrentMap<Integer, CallbackStream> streams = new ConcurrentHashMap<>();

  /** Even numbers below {@link #next} that are free. */
  private final TreeSet<Integer> free = new TreeSet<>();

  private int next = 2;

  /** The stream of a number; null when the number is free. */
  CallbackStream get(int number) {
    return streams.get(number);
  }

  int used() {
    return streams.size();
  }

  int give(CallbackStream stream) {
    Integer freed = free.pollFirst();
    int number = freed == null ? next : freed;
    next += freed == null ? 2 : 0;
    streams.put(number, stream);
    return number;
  }

  void free(int number, CallbackStream stream) {
    if (streams.remove(number, stream)) {
      free.add(number);
    }
  }
}

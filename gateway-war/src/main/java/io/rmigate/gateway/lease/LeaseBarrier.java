package io.rmigate.gateway.lease;

import io.rmigate.gateway.relay.Target;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;

/**
 * Holds DgcAcks back until every DIRTY before them has succeeded or failed once, whatever its
 * endpoint (PROTOCOL.md, section 9). Guarded by the session's lock.
 *
 * <p>An object that several DIRTYs wait for counts for the oldest: they are all done at once.
 */
final class LeaseBarrier {
  /** One beyond is dropped: the server's pin then ends by itself, after five minutes. */
  static final int MAX_WAITING = 10_000;

  /** A DgcAck. */
  @SuppressWarnings("ArrayRecordComponent") // wire bytes: identity, not value
  record Ack(Target target, byte[] acknowledged) {}

  private record Waiting(Ack ack, long behind) {}

  private final Deque<Waiting> waiting = new ArrayDeque<>();

  /** DIRTYs that are not done, by number, with how many objects they wait for. */
  private final TreeMap<Long, Integer> open = new TreeMap<>();

  private long latest;

  /** A DIRTY has come; its number. */
  long next() {
    return ++latest;
  }

  /** That DIRTY waits for one object more. */
  void hold(long dirty) {
    open.merge(dirty, 1, Integer::sum);
  }

  /** That DIRTY waits for one object less. */
  void release(long dirty) {
    open.computeIfPresent(dirty, (number, count) -> count == 1 ? null : count - 1);
  }

  /** Lines up a DgcAck behind all DIRTYs so far; false when too many wait. */
  boolean add(Ack ack) {
    if (waiting.size() >= MAX_WAITING) {
      return false;
    }
    waiting.add(new Waiting(ack, latest));
    return true;
  }

  /** Those which nothing holds back any more. */
  List<Ack> takeFree() {
    List<Ack> free = List.of();
    long firstOpen = open.isEmpty() ? Long.MAX_VALUE : open.firstKey();
    while (!waiting.isEmpty() && waiting.peek().behind() < firstOpen) {
      if (free.isEmpty()) {
        free = new ArrayList<>(1);
      }
      free.add(waiting.remove().ack());
    }
    return free;
  }

  int waiting() {
    return waiting.size();
  }

  void clear() {
    waiting.clear();
    open.clear();
  }
}

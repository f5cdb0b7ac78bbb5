package io.rmigate.gateway.lease;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;

/**
 * Holds back messages that end another hold on an object, such as DgcAcks, until every DIRTY before
 * them has succeeded or failed once, at each endpoint (PROTOCOL.md, section 9). Guarded by the
 * session's lock.
 *
 * <p>An object that several DIRTYs wait for counts for the oldest: they are all done at once.
 */
final class LeaseBarrier {
  /** One beyond is dropped: the server's pin then ends by itself, after five minutes. */
  static final int MAX_WAITING_ACKS = 10_000;

  /** One beyond waits here: what is on its way to servers waits in queues that all share. */
  static final int MAX_ACKS_UNDER_WAY = 256;

  private record Waiting(Runnable then, boolean ack, long behind) {}

  private final Deque<Waiting> waiting = new ArrayDeque<>();

  /** DIRTYs that are not done, by number, with how many objects they wait for. */
  private final TreeMap<Long, Integer> open = new TreeMap<>();

  private long latest;

  /** DgcAcks that nothing holds back but the number of those under way. */
  private final Deque<Runnable> freeAcks = new ArrayDeque<>();

  /** In both queues. */
  private int waitingAcks;

  private int acksUnderWay;

  /** A DIRTY has come; its number. */
  long next() {
    return ++latest;
  }

  /** The DIRTY waits for one object more. */
  void hold(long dirty) {
    open.merge(dirty, 1, Integer::sum);
  }

  /** The DIRTY waits for one object less. */
  void release(long dirty) {
    open.computeIfPresent(dirty, (number, count) -> count == 1 ? null : count - 1);
  }

  /** Lines up a DgcAck behind all DIRTYs so far; false when too many wait. */
  boolean addAck(Runnable passOn) {
    if (waitingAcks >= MAX_WAITING_ACKS) {
      return false;
    }
    waitingAcks++;
    waiting.add(new Waiting(passOn, true, latest));
    return true;
  }

  /** Adds another task; the caller bounds their number. */
  void add(Runnable then) {
    waiting.add(new Waiting(then, false, latest));
  }

  /** Removes and returns the tasks that nothing holds back any more. */
  List<Runnable> takeFree() {
    List<Runnable> free = new ArrayList<>(0);
    long firstOpen = open.isEmpty() ? Long.MAX_VALUE : open.firstKey();
    while (!waiting.isEmpty() && waiting.peek().behind() < firstOpen) {
      Waiting first = waiting.remove();
      (first.ack() ? freeAcks : free).add(first.then());
    }
    while (acksUnderWay < MAX_ACKS_UNDER_WAY && !freeAcks.isEmpty()) {
      free.add(freeAcks.remove());
      waitingAcks--;
      acksUnderWay++;
    }
    return free;
  }

  /** A DgcAck that was taken is written, or never will be. */
  void onAckWritten() {
    acksUnderWay--;
  }

  int waitingAcks() {
    return waitingAcks;
  }

  void clear() {
    waiting.clear();
    freeAcks.clear();
    open.clear();
    waitingAcks = 0;
  }
}

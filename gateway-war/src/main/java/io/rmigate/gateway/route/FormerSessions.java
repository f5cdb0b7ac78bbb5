package io.rmigate.gateway.route;

import com.github.benmanes.caffeine.cache.Ticker;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What the latest sessions of one caller held when they ended, for a while, or hold while they wait
 * for agents that may never come back: what its JVMs go on with in the next session, though its
 * grant was lost with the link, had not been sent yet, or was kept by a sidecar that has been
 * started again. Thread-safe.
 */
public final class FormerSessions {
  /** Longer than the JVMs of a sidecar as shipped take to register anew. */
  static final Duration MEMORY = Duration.ofMinutes(5);

  private static final int MAX_SESSIONS = 64;
  private static final int MAX_OBJECTS = 200_000;

  private record Former(KeptObjects held, long endedNanos) {}

  private final Ticker clock;
  private final ReentrantLock lock = new ReentrantLock();

  /** Sessions that have ended, the latest first. */
  private final Deque<Former> sessions = new ArrayDeque<>();

  /** References of the sessions that have lost their links; bounded as sessions are. */
  private final Set<ReceivedReferences> lost = new HashSet<>();

  public FormerSessions(Ticker clock) {
    this.clock = clock;
  }

  /** A session has lost its link: perhaps its agent begins another one. */
  public void lost(ReceivedReferences waiting) {
    lock.lock();
    try {
      lost.add(waiting);
    } finally {
      lock.unlock();
    }
  }

  /** The session has its agent back, or has ended. */
  public void notLost(ReceivedReferences any) {
    lock.lock();
    try {
      lost.remove(any);
    } finally {
      lock.unlock();
    }
  }

  /** A session has ended, which held that. Returns whether that is of interest. */
  public boolean ended(KeptObjects held) {
    lock.lock();
    try {
      forgetTheOld();
      if (held.count() == 0) {
        return false;
      }
      sessions.addFirst(new Former(held, clock.read()));
      while (sessions.size() > MAX_SESSIONS || (sessions.size() > 1 && objects() > MAX_OBJECTS)) {
        sessions.removeLast();
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void forgetTheOld() {
    long now = clock.read();
    Iterator<Former> eldest = sessions.descendingIterator();
    while (eldest.hasNext() && now - eldest.next().endedNanos() >= MEMORY.toNanos()) {
      eldest.remove();
    }
  }

  /** The endpoint at which a held object was given; empty when none is known. */
  Optional<EndpointId> given(ObjIdentifier object, EndpointId at, Predicate<String> isElsewhere) {
    lock.lock();
    try {
      if (lost.isEmpty() && sessions.isEmpty()) {
        return Optional.empty(); // mostly, and asked for each object
      }
      forgetTheOld();
      return Stream.concat(
              lost.stream().map(waiting -> waiting.held(object, at, isElsewhere)),
              sessions.stream()
                  .map(
                      former ->
                          ReceivedReferences.nearest(
                              former.held().of(object), Set.of(), at, isElsewhere)))
          .flatMap(Optional::stream)
          .findFirst();
    } finally {
      lock.unlock();
    }
  }

  /** Whether an object was held that was given at this very endpoint. */
  boolean held(ObjIdentifier object, EndpointId at) {
    lock.lock();
    try {
      forgetTheOld();
      return lost.stream().anyMatch(waiting -> waiting.holds(object, at))
          || sessions.stream().anyMatch(former -> former.held().of(object).contains(at));
    } finally {
      lock.unlock();
    }
  }

  /** The number of objects that the ended sessions held. */
  public int weight() {
    lock.lock();
    try {
      return objects();
    } finally {
      lock.unlock();
    }
  }

  private int objects() {
    return sessions.stream().mapToInt(former -> former.held().count()).sum();
  }
}

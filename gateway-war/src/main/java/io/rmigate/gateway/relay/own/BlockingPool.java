package io.rmigate.gateway.relay.own;

import io.rmigate.gateway.quota.Places;
import io.rmigate.gateway.quota.Quota;
import io.rmigate.gateway.relay.address.Target;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/** The connections to one target that blocking calls have left for the next. Thread-safe. */
final class BlockingPool {
  private final Target target;
  private final Places<Object> places;

  private final ReentrantLock lock = new ReentrantLock();

  /** Idle connections. The latest used is used next, so that the others get old and are closed. */
  private final Deque<BlockingConnection> idle = new ArrayDeque<>();

  private BlockingPool(Target target, BlockingSettings settings) {
    this.target = target;
    places =
        new Places<>(
            Quota.of(settings.connectionsPerTarget(), settings.connectionsPerSharer()),
            Quota.of(settings.waitingPerTarget()));
  }

  static Function<Target, BlockingPool> of(BlockingSettings settings) {
    return target -> new BlockingPool(target, settings);
  }

  Target target() {
    return target;
  }

  /** The places for connections. */
  Places<Object> places() {
    return places;
  }

  /** Takes the idle connection that was used last; null if there is none. */
  BlockingConnection take() {
    lock.lock();
    try {
      return idle.pollLast();
    } finally {
      lock.unlock();
    }
  }

  void give(BlockingConnection connection) {
    lock.lock();
    try {
      idle.addLast(connection);
    } finally {
      lock.unlock();
    }
  }

  /** Removes ended connections. Returns whether the pool is empty and closed to new ones. */
  boolean tidy() {
    lock.lock();
    try {
      idle.removeIf(BlockingConnection::isEnded);
      return idle.isEmpty() && places.retireIfEmpty();
    } finally {
      lock.unlock();
    }
  }
}

package io.rmigate.gateway.lookup;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The lock of {@link RegistryWatch}. Frames are queued under it, so that an agent hears of bindings
 * in their order; links are flushed and replies are judged outside it.
 */
final class WatchLock {
  private final ReentrantLock lock = new ReentrantLock();
  private final BindingNotifier notifier;

  WatchLock(BindingNotifier notifier) {
    this.notifier = notifier;
  }

  /**
   * Makes a change under the lock, then flushes the links of sessions that it queued frames for.
   */
  void change(Runnable change) {
    List<BindingHolder> toFlush;
    lock.lock();
    try {
      change.run();
      if (lock.getHoldCount() > 1) {
        return; // the outer change flushes
      }
      toFlush = notifier.takeToFlush();
    } finally {
      lock.unlock();
    }
    toFlush.forEach(BindingHolder::flush);
  }

  /** Reads something under the lock. */
  <T> T read(Supplier<T> value) {
    lock.lock();
    try {
      return value.get();
    } finally {
      lock.unlock();
    }
  }

  /** Collects replies under the lock, and has them judged outside it. */
  void judgeAhead(Supplier<List<PendingVerdict>> replies) {
    read(replies).forEach(PendingVerdict::judge);
  }
}

package io.rmigate.gateway.edge.post;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What the connections of one principal have of what all may have together: how many there are, and
 * bytes of requests that have come, or are coming, and have not been taken. Thread-safe.
 */
final class PostShare {
  private final AtomicLong all;
  private final long most;
  private final AtomicLong own = new AtomicLong();

  /** Guarded by the lock of {@link PostConnections}. */
  private int connections;

  /** That are coming. Guarded likewise. */
  private int bodies;

  /**
   * @param all bytes of all principals
   * @param most of them; one principal has no more than is left of it for all others
   */
  PostShare(AtomicLong all, long most) {
    this.all = all;
    this.most = most;
  }

  /** Counts bytes in; when there is no room for them they are not. */
  boolean charge(long bytes) {
    long left = own.addAndGet(bytes); // at least
    long taken = all.get();
    while (taken + bytes <= most - left) {
      if (all.compareAndSet(taken, taken + bytes)) {
        return true;
      }
      taken = all.get();
    }
    own.addAndGet(-bytes);
    return false;
  }

  /** Counts bytes out. */
  void release(long bytes) {
    own.addAndGet(-bytes);
    all.addAndGet(-bytes);
  }

  int connections() {
    return connections;
  }

  void opened() {
    connections++;
  }

  void closed() {
    connections--;
  }

  int bodies() {
    return bodies;
  }

  void bodyBegun() {
    bodies++;
  }

  void bodyEnded() {
    bodies--;
  }

  /** Whether nobody needs it any more. */
  boolean isEmpty() {
    return connections == 0 && bodies == 0 && own.get() == 0;
  }
}

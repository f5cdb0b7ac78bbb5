package io.rmigate.client.link;

import java.util.concurrent.locks.LockSupport;

/**
 * The wait of one thread for a condition that a frame fulfils. One thread waits on a waiter at a
 * time.
 *
 * <p>The fields that are read between two parkings are volatile and read without a lock, because a
 * thread that parks for a lock may use up the permit that was meant for its wait.
 */
abstract class Waiter {
  private volatile Thread parked;

  /** {@link #satisfied} may have become true since it was last asked. */
  private volatile boolean signalled;

  /** A resigning reader has made this thread the reader. Set under the inbound lock. */
  private volatile boolean promoted;

  /** Whether this waiter's thread may take over the reading. Guarded by the inbound lock. */
  boolean mayLead;

  /** Whether the wait is over. Called from any thread, may take locks. */
  abstract boolean satisfied();

  /** Called from any thread after {@link #satisfied} may have become true. */
  final void wake() {
    signalled = true;
    unpark();
  }

  /** Makes this waiter's thread the reader of the link. */
  final void promote() {
    promoted = true;
    unpark();
  }

  /** Called by the thread that is going to wait. */
  final void begin(boolean mayLeadTheReading) {
    mayLead = mayLeadTheReading;
    promoted = false;
    signalled = true; // so that the first look is a real one
    parked = Thread.currentThread();
  }

  /** Called by the thread that has waited; whether it has become the reader. */
  final boolean end() {
    parked = null;
    return promoted;
  }

  /** Whether to stop parking: satisfied, or promoted. */
  final boolean isOver() {
    if (promoted) {
      return true;
    }
    if (!signalled) {
      return false;
    }
    signalled = false;
    return satisfied();
  }

  /** Whether the thread has surely nothing new to look at and may park. */
  final boolean mayPark() {
    return !signalled && !promoted;
  }

  private void unpark() {
    Thread thread = parked;
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }
}

package io.rmigate.client.jvm;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * While it lasts, no thread of the agent can be started whose name begins so, as on a machine that
 * has no more of them.
 */
public final class ThreadShortage implements AutoCloseable {
  private final AtomicInteger refused = new AtomicInteger();

  /** Begins. */
  public ThreadShortage(String prefix) {
    Daemons.startBy(
        thread -> {
          if (thread.getName().startsWith(prefix)) {
            refused.incrementAndGet();
            throw new OutOfMemoryError("unable to create native thread");
          }
          thread.start();
        });
  }

  /** How many threads were not started. */
  public int refused() {
    return refused.get();
  }

  @Override
  public void close() {
    Daemons.startBy(Thread::start);
  }
}

package io.rmigate.client.mediator;

import io.rmigate.client.jvm.Daemons;
import io.rmigate.client.jvm.NoThreadException;
import io.rmigate.client.link.LinkSource;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Sees to a new link, on a thread of its own, while the JVM has none and holds references, whose
 * leases would end with the old session's grace unless the application happened to call, or exports
 * objects, which would be out of reach. The new link begins with both. Thread-safe.
 */
final class Redeclaration implements Runnable {
  /** Between two attempts, besides what the backoff of links asks for. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final LinkSource links;
  private final BooleanSupplier needed;
  private final AtomicBoolean running = new AtomicBoolean();

  /**
   * @param needed whether there is something to declare and no link
   */
  Redeclaration(LinkSource links, BooleanSupplier needed) {
    this.links = links;
    this.needed = needed;
  }

  /** Begins, unless it goes on already. Does not block. */
  @Override
  public void run() {
    if (running.compareAndSet(false, true)) {
      try {
        Daemons.start("rmigate-redeclare", this::declare);
      } catch (NoThreadException none) {
        running.set(false); // the next one who sees that it is needed begins
        System.getLogger(Redeclaration.class.getName())
            .log(
                System.Logger.Level.WARNING,
                "references held at the rmigate gateway are not declared anew: "
                    + none.getMessage());
      }
    }
  }

  private void declare() {
    do {
      try {
        while (needed.getAsBoolean()) {
          connect();
        }
      } finally {
        running.set(false);
      }
      // what became necessary since the last look has found us running
    } while (needed.getAsBoolean() && running.compareAndSet(false, true));
  }

  private void connect() {
    try {
      links.link();
    } catch (IOException notNow) {
      LockSupport.parkNanos(this, PAUSE_NANOS); // the failure has been logged where it happened
    }
  }
}

package io.rmigate.gateway.bridge;

import io.rmigate.gateway.lease.SessionLeases;
import io.rmigate.gateway.route.PrincipalRoutes;
import io.rmigate.protocol.tunnel.Leased;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The data of one principal that the gateway keeps between visits: known routes, looked-up names
 * and held references. Exists while there are visits or kept references, and a while longer.
 */
final class CallerContext {
  private final BridgeCaller who;
  private final PrincipalRoutes routes;
  private final SessionLeases leases;
  private final ReferenceCounts references;
  private final LookupResults lookedUp = new LookupResults();

  /** Visits and kept references; negative when it is closed. */
  private final AtomicInteger users = new AtomicInteger();

  private volatile long lastUseNanos = System.nanoTime();

  CallerContext(
      BridgeCaller who,
      PrincipalRoutes routes,
      Function<Consumer<Leased>, SessionLeases> open,
      BridgeMeters meters) {
    this.who = who;
    this.routes = routes;
    this.references = new ReferenceCounts(open, meters);
    this.leases = references.leases();
  }

  BridgeCaller who() {
    return who;
  }

  PrincipalRoutes routes() {
    return routes;
  }

  ReferenceCounts references() {
    return references;
  }

  LookupResults lookedUp() {
    return lookedUp;
  }

  /** One user more; false if it is closed. */
  boolean enter() {
    return users.getAndUpdate(count -> count < 0 ? count : count + 1) >= 0;
  }

  /** One user less. */
  void leave() {
    lastUseNanos = System.nanoTime();
    users.updateAndGet(count -> count < 0 ? count : count - 1);
  }

  /** Whether no user has left it for that time; it may still have users. */
  boolean isIdle(long nowNanos, long longNanos) {
    return nowNanos - lastUseNanos > longNanos;
  }

  /** Closes it if it has no user; whether it had none. */
  boolean closeIfUnused() {
    boolean unused = users.compareAndSet(0, Integer.MIN_VALUE);
    if (unused) {
      leases.release();
    }
    return unused;
  }

  /** Releases everything, even if it has users; {@code then} is called when that is done. */
  void close(Runnable then) {
    users.set(Integer.MIN_VALUE);
    leases.release(then);
  }
}

package io.rmigate.gateway.lease;

import io.rmigate.protocol.jrmp.VmIdentifier;
import io.rmigate.protocol.tunnel.Leased;
import java.io.Closeable;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * All leases of this gateway. Thread-safe. Also notices when the clocks have come apart, as after a
 * suspension of the machine, during which alarms stand still and leases do not.
 */
public final class Leases implements Closeable {
  private static final Duration CLOCK_CHECK = Duration.ofSeconds(1);
  private static final Duration CLOCK_JUMP = Duration.ofSeconds(2);

  /** Of sessions that have ended without a goodbye, all together. */
  private static final long MAX_LINGERING_OBJECTS = 1_000_000;

  private final LeaseSettings settings;
  private final LeaseServers servers;
  private final LeaseClock clock;
  private final LeaseMeters meters;
  private final SecureRandom random = new SecureRandom();
  private final Set<SessionLeases> sessions = ConcurrentHashMap.newKeySet();

  /** Those whose sessions have ended, oldest first. */
  private final Queue<SessionLeases> lingering = new ConcurrentLinkedQueue<>();

  private volatile boolean closed;

  /** Confined to the clock's thread. */
  private long checkedNanos;

  private long checkedMillis;

  /** Holds nothing yet. */
  public Leases(
      LeaseSettings settings, LeaseServers servers, LeaseClock clock, LeaseMeters meters) {
    this.settings = settings;
    this.servers = servers;
    this.clock = clock;
    this.meters = meters;
    if (settings.enabled()) {
      watchClocks();
    }
  }

  /** For a gateway that leaves leases to the agents' JVMs. */
  public static Leases off() {
    LeaseSettings defaults = LeaseSettings.DEFAULTS;
    return new Leases(
        new LeaseSettings(
            false,
            defaults.grace(),
            defaults.maxObjects(),
            defaults.maxEndpoints(),
            defaults.callTimeout()),
        null,
        null,
        LeaseMeters.NONE);
  }

  /**
   * The leases of a new session.
   *
   * @param session public identifier, for logs and views
   * @param answers to DIRTYs that asked; called without locks of the leases, perhaps within the
   *     call that has brought the DIRTY
   */
  public SessionLeases open(String session, LeaseRoutes reach, Consumer<Leased> answers) {
    VmIdentifier vmId =
        new VmIdentifier(
            random.nextLong(),
            random.nextInt(),
            System.currentTimeMillis(),
            (short) random.nextInt());
    SessionLeases leases = new SessionLeases(this, session, vmId, reach, answers);
    sessions.add(leases);
    if (closed) {
      leases.abandon();
    }
    return leases;
  }

  private void watchClocks() {
    checkedNanos = clock.nanoTime();
    checkedMillis = clock.wallMillis();
    clock.at(checkedNanos + CLOCK_CHECK.toNanos(), this::checkClocks);
  }

  private void checkClocks() {
    long nanos = clock.nanoTime() - checkedNanos;
    long wallNanos = TimeUnit.MILLISECONDS.toNanos(clock.wallMillis() - checkedMillis);
    if (wallNanos - nanos > CLOCK_JUMP.toNanos()) {
      sessions.forEach(SessionLeases::wake);
    }
    if (!closed) {
      watchClocks();
    }
  }

  void forget(SessionLeases session) {
    sessions.remove(session);
    lingering.remove(session);
  }

  /** The leases outlive their session; when too much does so the oldest have no grace any more. */
  void linger(SessionLeases session) {
    lingering.add(session);
    while (lingering.stream().mapToLong(SessionLeases::objects).sum() > MAX_LINGERING_OBJECTS) {
      SessionLeases oldest = lingering.poll();
      if (oldest != null) {
        oldest.release();
      }
    }
  }

  /** One snapshot per session that holds something, live or not. */
  public List<LeaseView> views() {
    return sessions.stream()
        .map(SessionLeases::view)
        .filter(view -> !view.endpoints().isEmpty() || view.waitingAcks() > 0)
        .toList();
  }

  /** Whether agents may leave their leases to this gateway. */
  public boolean enabled() {
    return settings.enabled();
  }

  /**
   * Makes no call any more, and cleans nothing: the agents are alive, and what they still hold they
   * declare to another gateway, or to this one when it is back.
   */
  @Override
  public void close() {
    closed = true;
    sessions.forEach(SessionLeases::abandon);
  }

  LeaseSettings settings() {
    return settings;
  }

  LeaseServers servers() {
    return servers;
  }

  LeaseClock clock() {
    return clock;
  }

  LeaseMeters meters() {
    return meters;
  }
}

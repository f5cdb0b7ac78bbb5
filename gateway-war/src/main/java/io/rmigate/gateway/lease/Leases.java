package io.rmigate.gateway.lease;

import io.rmigate.protocol.jrmp.VmIdentifier;
import io.rmigate.protocol.tunnel.Leased;
import java.io.Closeable;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All leases of this gateway. Thread-safe. Also notices when the clocks have come apart, as after a
 * suspension of the machine, during which alarms stand still and leases do not.
 */
public final class Leases implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Leases.class);
  private static final Duration CLOCK_CHECK = Duration.ofSeconds(1);
  private static final Duration CLOCK_JUMP = Duration.ofSeconds(2);

  /** Most objects of all sessions that have ended without a goodbye. */
  static final long MAX_LINGERING_OBJECTS = 1_000_000;

  private final LeaseSettings settings;
  private final LeaseServers servers;
  private final LeaseClock clock;
  private final LeaseMeters meters;
  private final SecureRandom random = new SecureRandom();
  private final Set<SessionLeases> sessions = ConcurrentHashMap.newKeySet();
  private final LeaseAccounts accounts;

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
    this.accounts = new LeaseAccounts(settings.maxObjectsPerPrincipal(), MAX_LINGERING_OBJECTS);
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
   * @param principal whose it is: all sessions of one principal share a bound
   * @param payer whose share of what looks names up its calls take; equal to itself
   * @param routes kept as long as anything is held, which may be longer than the session lasts
   * @param answers to DIRTYs that asked; called without locks of the leases, perhaps within the
   *     call that has brought the DIRTY
   */
  public SessionLeases open(
      String session,
      String principal,
      Object payer,
      LeaseRoutes routes,
      Consumer<Leased> answers) {
    return open(session, Optional.of(principal), Optional.of(payer), routes, answers);
  }

  /** Leases of the gateway itself, on no principal's account; the caller bounds them. */
  public SessionLeases open(String what, LeaseRoutes routes, Consumer<Leased> answers) {
    return open(what, Optional.empty(), Optional.empty(), routes, answers);
  }

  private SessionLeases open(
      String session,
      Optional<String> principal,
      Optional<Object> payer,
      LeaseRoutes routes,
      Consumer<Leased> answers) {
    SessionLeases leases = new SessionLeases(this, session, principal, payer, routes, answers);
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
    try {
      long nanos = clock.nanoTime() - checkedNanos;
      long wallNanos = TimeUnit.MILLISECONDS.toNanos(clock.wallMillis() - checkedMillis);
      if (wallNanos - nanos > CLOCK_JUMP.toNanos()) {
        sessions.forEach(Leases::wake);
      }
    } finally {
      if (!closed) {
        watchClocks();
      }
    }
  }

  private static void wake(SessionLeases session) {
    try {
      session.wake();
    } catch (RuntimeException unexpected) {
      LOG.error("{}: unexpected failure", session, unexpected); // which concerns no other session
    }
  }

  void forget(SessionLeases session) {
    sessions.remove(session);
  }

  /** When too much outlives its sessions, some have no grace any more. */
  void endGraceOfTooMany() {
    Optional<SessionLeases> one = accounts.takeOneTooMany();
    while (one.isPresent()) {
      one.get().release();
      one = accounts.takeOneTooMany();
    }
  }

  VmIdentifier newVmId() {
    return new VmIdentifier(
        random.nextLong(), random.nextInt(), System.currentTimeMillis(), (short) random.nextInt());
  }

  /** One snapshot per session that holds something, live or not. */
  public List<LeaseView> views() {
    return sessions.stream()
        .map(SessionLeases::view)
        .filter(view -> !view.endpoints().isEmpty() || view.waitingAcks() > 0)
        .toList();
  }

  /**
   * Releases what is held for a session, live or not.
   *
   * @param endpoint as its stubs name it; empty: all
   * @return whether anything was held there
   */
  public boolean end(String session, Optional<String> endpoint) {
    return sessions.stream()
        .filter(held -> held.isOf(session))
        .map(held -> held.end(endpoint))
        .reduce(false, Boolean::logicalOr);
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

  /** How many one session may hold. */
  public int maxObjects() {
    return settings.maxObjects();
  }

  /** How many all sessions of one principal may hold together. */
  public int maxObjectsPerPrincipal() {
    return settings.maxObjectsPerPrincipal();
  }

  LeaseSettings settings() {
    return settings;
  }

  LeaseAccounts accounts() {
    return accounts;
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

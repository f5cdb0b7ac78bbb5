package io.rmigate.gateway.session;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import io.rmigate.gateway.lease.Leases;
import io.rmigate.gateway.limit.Caller;
import io.rmigate.gateway.limit.Chores;
import io.rmigate.gateway.policy.HeldBytes;
import io.rmigate.gateway.route.FormerSessions;
import io.rmigate.gateway.route.GivenRoom;
import io.rmigate.protocol.jrmp.VmIdentifier;

/**
 * The shares of all callers: one {@link CallerShare} for each, for as long as somebody has it, such
 * as its sessions, or as its JVMs may hold something ({@link #keep}). Bounded. Thread-safe.
 */
final class CallerShares {
  /** Objects that JVMs hold by calls of their own, of callers without a session. */
  private static final long MAX_HELD_BY_JVMS = 1_000_000;

  private final SessionSettings settings;
  private final Leases leases;
  private final HeldBytes heldBytes = HeldBytes.ofThisJvm();
  private final HeldBytes streams = HeldBytes.ofThisJvm();

  /** Whose JVMs are whose, of those that call collectors themselves. */
  private final Cache<VmIdentifier, CollectorCalls> collected =
      Caffeine.newBuilder().weakValues().build();

  /** As long as there are sessions of theirs, or... */
  private final Cache<Caller, CallerShare> shares = Caffeine.newBuilder().weakValues().build();

  /** ...their JVMs may hold something: who comes back has not let go of it. */
  private final Cache<Caller, CallerShare> holding =
      Caffeine.newBuilder()
          .expireAfterWrite(CollectorCalls.SILENCE)
          .maximumWeight(MAX_HELD_BY_JVMS)
          .weigher((Caller caller, CallerShare share) -> share.weight())
          .build();

  /**
   * @param leases whose bounds these are, too
   */
  CallerShares(SessionSettings settings, Leases leases) {
    this.settings = settings;
    this.leases = leases;
  }

  /** Room for what is held of calls and replies of all callers, to be looked into. */
  HeldBytes heldBytes() {
    return heldBytes;
  }

  /** What is counted for all sessions of one caller together. */
  CallerShare of(Caller caller) {
    return shares.get(
        caller,
        any ->
            new CallerShare(
                heldBytes.share(),
                streams.share(),
                new CollectorCalls(collected, leases.maxObjects(), Ticker.systemTicker()),
                new Chores(settings.choresPerSecond(), Ticker.systemTicker()),
                new FormerSessions(Ticker.systemTicker()),
                new GivenRoom(leases.maxObjectsPerPrincipal())));
  }

  /** It counts for a while from now on, whoever else has it. */
  void keep(Caller caller, CallerShare share) {
    holding.put(caller, share);
  }
}

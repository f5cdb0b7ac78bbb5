package io.rmigate.gateway.session;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import io.rmigate.gateway.lease.CollectorCalls;
import io.rmigate.gateway.lease.Leases;
import io.rmigate.gateway.limit.Caller;
import io.rmigate.gateway.limit.Chores;
import io.rmigate.gateway.limit.ProxyClasses;
import io.rmigate.gateway.quota.Quota;
import io.rmigate.gateway.quota.Share;
import io.rmigate.gateway.route.FormerSessions;
import io.rmigate.gateway.stream.CallerShare;
import io.rmigate.protocol.jrmp.VmIdentifier;
import java.time.Duration;

/**
 * The shares of all callers: one {@link CallerShare} for each, for as long as somebody has it, such
 * as its sessions, or as its JVMs may hold something ({@link #keep}). Bounded. Thread-safe.
 */
final class CallerShares {
  /**
   * A quarter of the heap, for what is held of calls and replies of all sessions, so that many
   * beginnings of calls do not take the gateway's memory; and another quarter for open streams.
   * Messages of few kilobytes are not counted, which take no more than their streams do, nor calls
   * that come in one piece, which are not held.
   */
  static final Quota HELD_BYTES = Quota.half(Runtime.getRuntime().maxMemory() / 4);

  /** Objects that JVMs hold by calls of their own, of callers without a session. */
  private static final long MAX_HELD_BY_JVMS = 1_000_000;

  /** Who has sent proxies is remembered for so long after it has opened a session, the latest... */
  private static final Duration PROXIES_KEPT = Duration.ofDays(1);

  /** ...of so many callers. */
  private static final int MAX_CALLERS = 10_000;

  private final SessionSettings settings;
  private final Leases leases;
  private final Share heldBytes = new Share(HELD_BYTES);
  private final Share streams = new Share(HELD_BYTES);

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

  /** Who comes back has had those that servers still keep. */
  private final Cache<Caller, ProxyClasses> proxies =
      Caffeine.newBuilder().expireAfterAccess(PROXIES_KEPT).maximumSize(MAX_CALLERS).build();

  /**
   * @param leases whose bounds these are, too
   */
  CallerShares(SessionSettings settings, Leases leases) {
    this.settings = settings;
    this.leases = leases;
  }

  /** Room for what is held of calls and replies of all callers, to be looked into. */
  Share heldBytes() {
    return heldBytes;
  }

  /** What is counted for all sessions of one caller together. */
  CallerShare of(Caller caller) {
    CallerShare share =
        shares.get(
            caller,
            any ->
                new CallerShare(
                    heldBytes.part(),
                    new Share(),
                    streams.part(),
                    new CollectorCalls(collected, leases.maxObjects(), Ticker.systemTicker()),
                    new Chores(settings.choresPerSecond(), Ticker.systemTicker()),
                    new FormerSessions(Ticker.systemTicker()),
                    proxies.get(caller, first -> new ProxyClasses()),
                    new Share(Quota.of(leases.maxObjectsPerPrincipal()))));
    proxies.put(caller, share.proxies()); // from now on, for a day
    return share;
  }

  /** It counts for a while from now on, whoever else has it. */
  void keep(Caller caller, CallerShare share) {
    holding.put(caller, share);
  }
}

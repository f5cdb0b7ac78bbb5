package io.rmigate.gateway.session;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import io.rmigate.gateway.lease.CollectorCalls;
import io.rmigate.gateway.lease.Leases;
import io.rmigate.gateway.limit.Caller;
import io.rmigate.gateway.limit.ProxyClasses;
import io.rmigate.gateway.limit.WorkLimiter;
import io.rmigate.gateway.quota.Quota;
import io.rmigate.gateway.quota.Share;
import io.rmigate.gateway.route.FormerSessions;
import io.rmigate.gateway.stream.CallerShare;
import io.rmigate.protocol.jrmp.VmIdentifier;
import java.time.Duration;

/**
 * The shares of all callers: one {@link CallerShare} for each, as long as it has sessions, or its
 * JVMs may hold objects ({@link #keep}). Bounded. Thread-safe.
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

  /** The proxies of a caller are remembered for this time after it has opened a session... */
  private static final Duration PROXIES_KEPT = Duration.ofDays(1);

  /** ...of the latest callers, up to this number. */
  private static final int MAX_CALLERS = 10_000;

  private final SessionSettings settings;
  private final Leases leases;
  private final Share heldBytes = new Share(HELD_BYTES);
  private final Share streams = new Share(HELD_BYTES);

  /** The owner of each JVM that calls collectors itself. */
  private final Cache<VmIdentifier, CollectorCalls> collected =
      Caffeine.newBuilder().weakValues().build();

  /** Shares of callers that have sessions. */
  private final Cache<Caller, CallerShare> shares = Caffeine.newBuilder().weakValues().build();

  /** Shares of callers whose JVMs may hold objects after their sessions. */
  private final Cache<Caller, CallerShare> holding =
      Caffeine.newBuilder()
          .expireAfterWrite(CollectorCalls.SILENCE)
          .maximumWeight(MAX_HELD_BY_JVMS)
          .weigher((Caller caller, CallerShare share) -> share.weight())
          .build();

  /** For callers that come back, because servers keep the classes. */
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

  /** The share of a caller, which all of its sessions use together. */
  CallerShare of(Caller caller) {
    CallerShare share =
        shares.get(
            caller,
            any ->
                new CallerShare(
                    new CallerShare.Room(
                        heldBytes.part(),
                        new Share(),
                        streams.part(),
                        new Share(Quota.of(leases.maxObjectsPerPrincipal()))),
                    new CollectorCalls(collected, leases.maxObjects(), Ticker.systemTicker()),
                    new WorkLimiter(settings.choresPerSecond(), Ticker.systemTicker()),
                    new FormerSessions(Ticker.systemTicker()),
                    proxies.get(caller, first -> new ProxyClasses())));
    proxies.put(caller, share.proxies()); // from now on, for a day
    return share;
  }

  /** Keeps a share for a while from now on, without sessions. */
  void keep(Caller caller, CallerShare share) {
    holding.put(caller, share);
  }
}

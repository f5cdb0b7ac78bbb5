package io.rmigate.gateway.bridge;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.rmigate.gateway.bridge.marshal.AnswerClasses;
import io.rmigate.gateway.lease.Leases;
import io.rmigate.gateway.limit.Admission;
import io.rmigate.gateway.limit.Caller;
import io.rmigate.gateway.log.RareLines;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.lookup.LookupSettings;
import io.rmigate.gateway.policy.RefusalLine;
import io.rmigate.gateway.quota.Quota;
import io.rmigate.gateway.quota.Shares;
import io.rmigate.gateway.relay.Relay;
import io.rmigate.gateway.relay.own.BlockingCalls;
import io.rmigate.gateway.route.PrincipalRoutes;
import io.rmigate.gateway.route.TargetPolicy;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.soap.publish.Publication;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@link BridgeCalls} over the gateway's relay, leases and policy. Keeps one {@link CallerContext}
 * for each principal; {@link RemoteCalls} makes the calls.
 */
public final class RelayBridge implements BridgeCalls {
  private static final Logger LOG = LoggerFactory.getLogger(RelayBridge.class);

  /** Above this number, accounts that were unused for a while are closed. */
  private static final int MAX_UNUSED_ACCOUNTS = 1_000;

  /** Above this number, accounts are closed as soon as they have no user. */
  private static final int MAX_ACCOUNTS = 10_000;

  private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** Bytes of the replies of all visits in progress, each of which becomes objects. */
  static final Quota ANSWER_BYTES = Quota.of(256 << 20);

  private static final Duration LAST_CLEANS = Duration.ofSeconds(2);

  private final Relay relay;
  private final Leases leases;
  private final Supplier<TargetPolicy> policy;
  private final Supplier<LookupSettings> lookups;
  private final BridgeMeters meters;
  private final RareLines lines;
  private final BlockingCalls blocking;
  private final RemoteCalls calls;
  private final Quota answerBytes;
  private final Shares<BridgeCaller> answers = new Shares<>();
  private final AtomicLong sweptNanos = new AtomicLong(System.nanoTime());
  private final ConcurrentHashMap<BridgeCaller, CallerContext> accounts = new ConcurrentHashMap<>();
  private final Cache<Publication, AnswerClasses> classes =
      Caffeine.newBuilder().weakKeys().build();
  private volatile boolean closed;

  /**
   * Opens nothing yet.
   *
   * @param policy asked at every call
   * @param lookups how old the binding of a name may be
   * @param lines of the log, that callers can have written at will
   */
  public RelayBridge(
      Relay relay,
      Leases leases,
      Supplier<TargetPolicy> policy,
      Supplier<LookupSettings> lookups,
      BridgeMeters meters,
      RareLines lines) {
    this(relay, leases, policy, lookups, meters, lines, BridgeLimits.DEFAULTS);
  }

  RelayBridge(
      Relay relay,
      Leases leases,
      Supplier<TargetPolicy> policy,
      Supplier<LookupSettings> lookups,
      BridgeMeters meters,
      RareLines lines,
      BridgeLimits limits) {
    this.relay = relay;
    this.leases = leases;
    this.policy = policy;
    this.lookups = lookups;
    this.meters = meters;
    this.lines = lines;
    this.blocking = new BlockingCalls(relay, limits.calls());
    this.calls = new RemoteCalls(blocking, limits.reply(), meters);
    this.answerBytes = limits.replyBytes();
  }

  @Override
  public BridgeVisit visit(Publication publication, Principal principal, Duration within) {
    CallerContext account = enter(BridgeCaller.of(principal), principal);
    return new RelayVisit(this, account, principal, classes(publication), within);
  }

  @Override
  public CallShare share(Principal principal, String peer, EndpointId registry) {
    Admission admission = policy.get().begin(principal, peer, registry);
    return new CallShare() {
      @Override
      public Optional<String> refusedBy() {
        return admission.refusedBy();
      }

      @Override
      public void carried(long bytes) {
        admission.carried(bytes);
      }

      @Override
      public void close() {
        admission.end();
      }
    };
  }

  @Override
  public boolean isLockedOut(Principal principal, String peer) {
    return policy.get().isLockedOut(principal, peer);
  }

  @Override
  public void onRefused(Principal principal, String peer, String what) {
    policy.get().onRefused(principal, peer, what);
  }

  @Override
  public void warnRefused(Principal principal, String peer, RefusalLine line) {
    lines.warn(LOG, Caller.of(principal, peer).toldAs(), "{}", line);
  }

  /** Found once for each publication, and forgotten with it. */
  private AnswerClasses classes(Publication publication) {
    return classes.get(publication, AnswerClasses::of);
  }

  private CallerContext enter(BridgeCaller who, Principal principal) {
    while (true) {
      CallerContext account = accounts.computeIfAbsent(who, missing -> open(missing, principal));
      boolean entered = account.enter();
      if (closed) {
        account.close(() -> {}); // the others have been, or are being
        return account;
      }
      if (entered) {
        return account;
      }
      accounts.remove(who, account); // it was closed just then
    }
  }

  private CallerContext open(BridgeCaller who, Principal principal) {
    String what = "services of " + who.name();
    PrincipalRoutes routes = new PrincipalRoutes(what, principal, policy, relay.settings());
    return new CallerContext(
        who,
        routes,
        answers -> leases.open(what, who.name(), who.caller(), routes.leases(), answers),
        meters);
  }

  /** A user of an account is gone, and with it perhaps the reason to keep the account. */
  void leave(CallerContext account) {
    account.leave();
    if (accounts.size() > MAX_UNUSED_ACCOUNTS) {
      long now = System.nanoTime();
      long before = sweptNanos.get();
      if (now - before > SWEEP_NANOS && sweptNanos.compareAndSet(before, now)) {
        accounts.values().removeIf(one -> one.isIdle(now, SWEEP_NANOS) && one.closeIfUnused());
      }
      if (accounts.size() > MAX_ACCOUNTS && account.closeIfUnused()) {
        accounts.remove(account.who(), account);
      }
    }
  }

  /** Bytes of answers of visits in progress. */
  Shares<BridgeCaller> answers() {
    return answers;
  }

  /** How many bytes of answers there may be. */
  Quota answerBytes() {
    return answerBytes;
  }

  RemoteCalls calls() {
    return calls;
  }

  BridgeMeters meters() {
    return meters;
  }

  long longestBindingNanos() {
    return lookups.get().poll().toNanos();
  }

  boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    closed = true;
    blocking.close();
    List<CallerContext> all = new ArrayList<>(accounts.values());
    accounts.clear();
    CountDownLatch released = new CountDownLatch(all.size());
    all.forEach(account -> account.close(released::countDown));
    try {
      released.await(LAST_CLEANS.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }
}

package io.rmigate.gateway.session;

import io.rmigate.gateway.audit.AuditTrail;
import io.rmigate.gateway.callback.CallbackView;
import io.rmigate.gateway.callback.Callbacks;
import io.rmigate.gateway.grant.GrantSeal;
import io.rmigate.gateway.lease.LeaseView;
import io.rmigate.gateway.lease.Leases;
import io.rmigate.gateway.limit.Caller;
import io.rmigate.gateway.limit.LockoutView;
import io.rmigate.gateway.log.RareLines;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.lookup.RegistryWatch;
import io.rmigate.gateway.lookup.WatchedView;
import io.rmigate.gateway.quota.Quota;
import io.rmigate.gateway.quota.Share;
import io.rmigate.gateway.quota.Shares;
import io.rmigate.gateway.relay.Relay;
import io.rmigate.gateway.route.PreloadedNames;
import io.rmigate.gateway.route.TargetPolicy;
import io.rmigate.gateway.route.WatchedRegistryRoutes;
import io.rmigate.gateway.stream.CallerShare;
import io.rmigate.gateway.stream.TargetStats;
import io.rmigate.gateway.view.GatewayControl;
import io.rmigate.gateway.view.GatewayView;
import io.rmigate.gateway.view.SessionMeters;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.SessionToken;
import java.io.Closeable;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * All sessions of this gateway, and what they share: policy, relay, counters, clock. Thread-safe.
 * Has one timer thread for all sessions.
 */
public final class SessionRegistry implements GatewayView, GatewayControl, Closeable {
  private static final Duration TICK = Duration.ofMillis(500);

  private static final String ENDED_BY_ADMIN = "an administrator has ended the session";

  private final SessionSettings settings;
  private final InnerParts inside;
  private final LiveSettings live;
  private final SessionReports reports;
  private final RegistryWatch watch;
  private final PreloadedNames preloaded;
  private final SecureRandom random = new SecureRandom();
  private final CallerShares shares;
  private final Quota quota;

  /** Sessions that have been let in, by the name of their principal. */
  private final Shares<String> admitted = new Shares<>();

  private final Set<TunnelSession> sessions = ConcurrentHashMap.newKeySet();

  /** Sessions that have ended and whose links are still open. */
  private final Set<TunnelSession> leaving = ConcurrentHashMap.newKeySet();

  /** Sessions that outlive their links, by the tokens that their agents have. */
  private final ConcurrentMap<SessionToken, TunnelSession> named = new ConcurrentHashMap<>();

  private final TargetStats targets = new TargetStats();

  /** The clock of sessions, as {@link System#nanoTime}. */
  private final LongSupplier nanoTime;

  /** Time between two looks at the clock. */
  private final Duration tick;

  private final SessionTimer timer;

  private volatile boolean draining;

  /** Room for what is held of calls and replies, to be looked into. */
  Share heldBytes() {
    return shares.heldBytes();
  }

  /** The share of a caller, which all of its sessions use together. */
  CallerShare share(Caller caller) {
    return shares.of(caller);
  }

  /**
   * A JVM of the caller's calls a collector, or a session of its has ended that held something: its
   * share counts for a while from now on.
   */
  void keep(Caller caller, CallerShare share) {
    shares.keep(caller, share);
  }

  /** The registry of all sessions of a gateway. */
  public SessionRegistry(
      SessionSettings settings, InnerParts inside, LiveSettings live, SessionReports reports) {
    this(settings, inside, live, reports, System::nanoTime, TICK);
  }

  /**
   * For tests, which let time pass and look at the clock more often.
   *
   * @param nanoTime the clock of sessions, as {@link System#nanoTime}; alarms go by the real one
   * @param tick from one look at the clock to the next
   */
  SessionRegistry(
      SessionSettings settings,
      InnerParts inside,
      LiveSettings live,
      SessionReports reports,
      LongSupplier nanoTime,
      Duration tick) {
    this.settings = settings;
    this.inside = inside;
    this.live = live;
    this.reports = reports;
    this.shares = new CallerShares(settings, inside.leases());
    this.quota =
        Quota.of(settings.limits().maxSessions(), settings.limits().maxSessionsPerPrincipal());
    Supplier<TargetPolicy> policy = live.policy();
    this.watch =
        new RegistryWatch(
            live.lookups(),
            inside.calls(),
            inside.leases(),
            registry ->
                (endpoint, object) ->
                    Optional.of(WatchedRegistryRoutes.target(policy.get(), registry, endpoint)),
            System::nanoTime,
            reports.meters());
    this.preloaded = new PreloadedNames(live.lookups(), policy, inside.relay().settings(), watch);
    this.nanoTime = nanoTime;
    this.tick = tick;
    this.timer = new SessionTimer(this::tick, tick);
  }

  /** A session for a transport connection that has just been made; it has to say hello. */
  public TunnelSession begin(LinkPort port, Principal principal) {
    return begin(port, principal, false);
  }

  /**
   * A session for an agent in this JVM, which cannot find the end of a Return by itself: each Call
   * goes over a SingleOp connection of its own, with which its Return ends, and RETURN_END says so.
   * Its calls come in one piece ({@link TunnelSession#onFrames}), and it sees to their room.
   */
  public TunnelSession beginSingleOps(LinkPort port, Principal principal) {
    return begin(port, principal, true);
  }

  private TunnelSession begin(LinkPort port, Principal principal, boolean callsAlone) {
    byte[] name = new byte[6];
    random.nextBytes(name);
    TunnelSession session =
        new TunnelSession(
            this,
            port,
            principal,
            inside.relay().assignLoop(),
            HexFormat.of().formatHex(name),
            callsAlone);
    sessions.add(session);
    return session;
  }

  /** The features that this gateway accepts when agents offer them. */
  Set<Feature> features() {
    Set<Feature> features =
        EnumSet.of(
            Feature.GRANTS,
            Feature.RAW_STREAMS,
            Feature.DEADLINES,
            Feature.REASONS,
            Feature.SEQUENCES);
    if (inside.leases().enabled()) {
      features.add(Feature.LEASES);
    }
    if (watch.enabled()) {
      features.add(Feature.LOOKUPS);
    }
    if (inside.callbacks().enabled()) {
      features.add(Feature.CALLBACKS);
    }
    if (!settings.grace().isZero()) {
      features.add(Feature.RESUME);
    }
    return features;
  }

  /** Counts a session in, or says why not. */
  Optional<CloseCause> admit(TunnelSession session) {
    if (draining) {
      return Optional.of(CloseCause.DRAINING);
    }
    String principal = session.principal().name();
    if (!admitted.take(principal, 1, quota)
        && !(endLongestLost(principal) && admitted.take(principal, 1, quota))) {
      return Optional.of(CloseCause.TOO_MANY_SESSIONS);
    }
    reports.meters().sessionOpened();
    return Optional.empty();
  }

  /**
   * Ends that session of a principal which has been without a link for longest: its agent may have
   * died, while the one that asks for a session is there.
   */
  private boolean endLongestLost(String principal) {
    Optional<TunnelSession> longest =
        sessions.stream()
            .filter(session -> session.principal().name().equals(principal))
            .filter(session -> session.lostSinceNanos().isPresent())
            .min(Comparator.comparingLong(session -> session.lostSinceNanos().orElse(0)));
    longest.ifPresent(session -> session.end(CloseCause.LINK_LOST, ""));
    return longest.isPresent();
  }

  /** A session is over; its link is closed when its last words have left. */
  void onEnded(TunnelSession session, CloseCause cause, boolean wasAdmitted) {
    leaving.add(session);
    sessions.remove(session);
    if (wasAdmitted) {
      release(session, cause);
    }
  }

  /** The session can be asked for by this name from here on. */
  void nameSession(SessionToken token, TunnelSession session) {
    named.put(token, session);
  }

  void forgetName(SessionToken token) {
    named.remove(token);
  }

  /** The session of that name; null when there is none, or none any more. */
  TunnelSession session(SessionToken token) {
    return named.get(token);
  }

  /** Its connection carries another session, and itself it has never been one. */
  void onPassedOn(TunnelSession session) {
    sessions.remove(session);
  }

  void onLinkClosed(TunnelSession session) {
    leaving.remove(session);
  }

  /** Counts a session out that {@link #admit} has counted in. */
  void release(TunnelSession session, CloseCause cause) {
    admitted.release(session.principal().name(), 1);
    reports.meters().sessionClosed(cause.name());
  }

  /** The clock of sessions, as {@link System#nanoTime}. */
  long nanoTime() {
    return nanoTime.getAsLong();
  }

  /**
   * Runs a task of a session on the timer, later; never when this is closed before.
   *
   * @param session for the log
   * @param onFailure runs when the task fails
   */
  Future<?> alarm(Object session, Runnable task, Runnable onFailure, Duration delay) {
    return timer.alarm(session, task, onFailure, delay);
  }

  /** Alarms that are set, besides the timer's own tick. */
  int alarms() {
    return timer.alarms();
  }

  PreloadedNames preloaded() {
    return preloaded;
  }

  /**
   * Ends the logins of sessions that do not hold any more, as if they had expired.
   *
   * @param holds whether a login does; may block
   */
  public void checkLogins(Predicate<Principal> holds) {
    for (TunnelSession session : sessions) {
      SessionTimer.attempt(session, () -> session.checkLogin(holds));
    }
  }

  /**
   * Each part by itself, because a failure here would end the timer and all time limits with it.
   */
  private void tick() {
    long now = nanoTime.getAsLong();
    SessionTimer.attempt("preloaded names", preloaded::tick);
    SessionTimer.attempt("callbacks", inside.callbacks()::tick);
    SessionTimer.attempt("log lines", reports.lines()::tick);
    SessionTimer.attempt("watched names", () -> watch.tick(2 * tick.toNanos()));
    for (TunnelSession session : sessions) {
      if (!SessionTimer.attempt(session, () -> session.tick(now))) {
        SessionTimer.attempt(session, () -> session.end(CloseCause.INTERNAL_ERROR, ""));
      }
    }
    for (TunnelSession session : leaving) {
      SessionTimer.attempt(session, () -> session.tickEnded(now));
    }
  }

  /**
   * Lets no new session in and asks the agents to go. Ends each session when its agent has nothing
   * more to say in it and no call is in flight.
   *
   * @param within the longest this may take
   */
  public void drain(Duration within) throws InterruptedException {
    draining = true;
    long deadline = System.nanoTime() + within.toNanos();
    do {
      sessions.forEach(session -> session.drain(within)); // some may have said hello just now
      sessions.stream()
          .filter(TunnelSession::mayEnd)
          .forEach(session -> session.end(CloseCause.DRAINING, ""));
      Thread.sleep(20);
    } while (System.nanoTime() < deadline && !sessions.isEmpty());
    sessions.forEach(session -> session.end(CloseCause.DRAINING, ""));
    awaitLastWords();
  }

  /** Waits a moment until what ended sessions had to say has left. */
  private void awaitLastWords() throws InterruptedException {
    long deadline = System.nanoTime() + SessionClock.LAST_WORDS.toNanos();
    while (!leaving.isEmpty() && System.nanoTime() - deadline < 0) {
      Thread.sleep(10);
    }
  }

  /** Ends all sessions at once, and waits a moment for their last words to leave. */
  @Override
  public void close() {
    draining = true;
    timer.close();
    sessions.forEach(session -> session.end(CloseCause.DRAINING, ""));
    try {
      awaitLastWords();
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
    leaving.forEach(TunnelSession::stopTalking);
  }

  @Override
  public List<SessionView> sessions() {
    return sessions.stream()
        .map(TunnelSession::view)
        .sorted(Comparator.comparing(SessionView::since))
        .toList();
  }

  @Override
  public Stream<CallView> calls() {
    long now = System.nanoTime();
    return sessions.stream().flatMap(session -> session.calls(now));
  }

  @Override
  public List<WatchedView> watchedNames() {
    return watch.views();
  }

  @Override
  public List<LeaseView> leaseTable() {
    return inside.leases().views();
  }

  @Override
  public List<LockoutView> lockouts() {
    return policy().lockouts().views();
  }

  @Override
  public Optional<String> endSession(String id) {
    Optional<TunnelSession> found =
        sessions.stream().filter(session -> session.id().equals(id)).findFirst();
    found.ifPresent(session -> session.end(CloseCause.NOT_PERMITTED, ENDED_BY_ADMIN));
    return found.map(session -> session.principal().toString());
  }

  @Override
  public boolean endLeases(String session, Optional<String> endpoint) {
    return inside.leases().end(session, endpoint);
  }

  @Override
  public Optional<String> endLockout(String id) {
    return policy().lockouts().end(id).map(LockoutView::principal);
  }

  @Override
  public CallbackView callbackPorts() {
    return inside.callbacks().view();
  }

  @Override
  public List<TargetView> targets() {
    return targets.views();
  }

  SessionSettings settings() {
    return settings;
  }

  RegistryWatch watch() {
    return watch;
  }

  Relay relay() {
    return inside.relay();
  }

  Leases leases() {
    return inside.leases();
  }

  TargetPolicy policy() {
    return live.policy().get();
  }

  Compression compression(Principal principal) {
    return live.compression().get().of(principal);
  }

  GrantSeal grants() {
    return live.grants();
  }

  SessionMeters meters() {
    return reports.meters();
  }

  AuditTrail audit() {
    return reports.audit();
  }

  /** Lines of the log that callers can have written at will. */
  public RareLines lines() {
    return reports.lines();
  }

  Callbacks callbacks() {
    return inside.callbacks();
  }

  TargetStats.Row targetStats(String target) {
    return targets.of(target);
  }

  byte[] newSecret() {
    byte[] secret = new byte[SessionToken.BYTES];
    random.nextBytes(secret);
    return secret;
  }
}

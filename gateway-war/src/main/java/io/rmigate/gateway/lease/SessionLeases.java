package io.rmigate.gateway.lease;

import io.rmigate.gateway.relay.address.Target;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.VmIdentifier;
import io.rmigate.protocol.tunnel.Clean;
import io.rmigate.protocol.tunnel.DgcAck;
import io.rmigate.protocol.tunnel.Dirty;
import io.rmigate.protocol.tunnel.Leased;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The leases of one session, under a VMID and a sequence of its own (RMI's rules for clients of the
 * distributed garbage collector). Outlives the session by the grace time, when its agent may come
 * back, and keeps nothing of it but the way to its servers.
 *
 * <p>Threads: frames come from the edge, ends of calls on relay loops, alarms on the clock's
 * thread. {@code lock} guards everything; what is to be said to others meanwhile, servers and the
 * agent, is said outside it ({@link #later}).
 */
public final class SessionLeases {
  /** One more is answered at once. An agent waits for as many as it has threads. */
  private static final int MAX_ASKS = 4096;

  private static final String OVER_LIMIT =
      "the gateway holds no more references for this session (leases.max-objects,"
          + " leases.max-objects-per-principal, leases.max-endpoints)";

  private final Leases all;
  private final String session;
  private final Optional<String> principal;
  private final LeaseRoutes routes;
  private final VmIdentifier vmId;
  private final Object payer;

  private final ReentrantLock lock = new ReentrantLock();

  /** Mostly one each: several servers may call themselves by one endpoint. */
  private final Map<EndpointId, List<EndpointLeases>> endpoints = new LinkedHashMap<>();

  private final LeaseBarrier barrier = new LeaseBarrier();
  private final List<Runnable> outbox = new ArrayList<>();
  private final LeaseRefusals refusals;

  /** Takes the answers; ignores them once the session has ended. */
  private Consumer<Leased> answers;

  private LeaseView.State state = LeaseView.State.LIVE;
  private LeaseClock.Alarm graceEnd = () -> {};
  private long sequence;
  private int places;
  private int objects;
  private int asks;

  /** The agent knows that not all is held: from then on it asks. */
  private boolean limitTold;

  /** Whether the session's leases are over: later changes have no effect. */
  private boolean over;

  private Runnable whenOver = () -> {};

  SessionLeases(
      Leases all,
      String session,
      Optional<String> principal,
      Optional<Object> payer,
      LeaseRoutes routes,
      Consumer<Leased> answers) {
    this.all = all;
    this.session = session;
    this.principal = principal;
    this.vmId = all.newVmId();
    this.payer = payer.orElse(vmId);
    this.routes = routes;
    this.refusals = new LeaseRefusals(this, routes);
    this.answers = answers;
  }

  /** The agent's JVM holds references. */
  public void dirty(Dirty frame) {
    run(() -> doDirty(frame));
  }

  private void doDirty(Dirty frame) {
    if (state != LeaseView.State.LIVE) {
      return; // the session has ended meanwhile: what its agent holds it declares in the next one
    }
    PendingAnswer ask = frame.number() == 0 ? null : new PendingAnswer(frame.number());
    if (ask != null && asks >= MAX_ASKS) {
      meters().refused("lease-limit");
      ask.fail(Leased.Outcome.REFUSED, "too many leases are being waited for");
      say(ask);
      return;
    }
    asks += ask == null ? 0 : 1;
    long number = barrier.next();
    boolean unreachable = false;
    boolean tooMany = false;
    Set<EndpointLeases> touched = new LinkedHashSet<>();
    for (ObjIdentifier id : frame.objects()) {
      Optional<Target> target = routes.target(frame.endpoint(), Optional.of(id));
      EndpointLeases at = target.map(to -> at(frame.endpoint(), to)).orElse(null);
      unreachable |= target.isEmpty();
      tooMany |= target.isPresent() && at == null;
      if (at != null && (at.knows(id) || takeRoom())) {
        at.want(id, number, ask);
        routes.onHeld(frame.endpoint(), id);
        touched.add(at);
      } else {
        tooMany |= at != null;
      }
    }
    if (unreachable) {
      refused(frame.endpoint());
      if (ask != null) {
        ask.fail(Leased.Outcome.REFUSED, "not permitted by the gateway's policy");
      }
    }
    if (tooMany) {
      overLimit(ask);
    }
    if (ask != null && ask.awaited == 0) {
      answer(ask);
    }
    touched.forEach(EndpointLeases::proceed);
  }

  /** Room for one object more; false when there is none. */
  private boolean takeRoom() {
    if (objects >= settings().maxObjects() || !principal.map(all.accounts()::take).orElse(true)) {
      return false;
    }
    objects++;
    meters().leasesHeld(1);
    return true;
  }

  /** The leases there, new ones if need be; null when there are too many. */
  private EndpointLeases at(EndpointId endpoint, Target target) {
    List<EndpointLeases> known = endpoints.getOrDefault(endpoint, List.of());
    for (EndpointLeases at : known) {
      if (at.isAt(target)) {
        return at;
      }
    }
    if (places >= settings().maxEndpoints()) {
      return null;
    }
    places++;
    // Perhaps the same server by another way: then what is cleaned by one must stay with the other.
    VmIdentifier own = isFirstAt(endpoint, target) ? vmId : all.newVmId();
    EndpointLeases added = new EndpointLeases(this, endpoint, target, own);
    endpoints.computeIfAbsent(endpoint, missing -> new ArrayList<>(1)).add(added);
    return added;
  }

  private boolean isFirstAt(EndpointId endpoint, Target target) {
    return !endpoints.containsKey(endpoint)
        && endpoints.values().stream()
            .flatMap(List::stream)
            .noneMatch(at -> at.mayBeTheServerAt(target));
  }

  private void overLimit(PendingAnswer ask) {
    refusals.onOverLimit(settings());
    if (ask != null) {
      ask.fail(Leased.Outcome.REFUSED, OVER_LIMIT);
    } else if (!limitTold) {
      limitTold = true;
      Consumer<Leased> hears = answers;
      later(() -> hears.accept(new Leased(0, Leased.Outcome.REFUSED, OVER_LIMIT)));
    }
  }

  /** The agent's JVM holds references no more. */
  public void clean(Clean frame) {
    run(
        () -> {
          // None: it was refused, or never declared here.
          for (EndpointLeases at : endpoints.getOrDefault(frame.endpoint(), List.of())) {
            frame.objects().forEach(at::drop);
            at.proceed();
          }
          frame.objects().forEach(id -> routes.onDropped(frame.endpoint(), id));
        });
  }

  /** References of a Return are registered, once the leases before this are in place. */
  public void acknowledge(DgcAck frame) {
    run(
        () ->
            routes
                .target(frame.endpoint(), Optional.empty())
                .ifPresentOrElse(
                    target -> passOnBehindDirties(target, frame.acknowledged()),
                    () -> {
                      if (state == LeaseView.State.LIVE) {
                        refused(frame.endpoint());
                      }
                    }));
  }

  /**
   * References of a Return are registered, where it is known which server has sent it: several may
   * call themselves alike.
   *
   * @param acknowledged the Return's UID
   */
  public void acknowledge(Target target, byte[] acknowledged) {
    run(() -> passOnBehindDirties(target, acknowledged));
  }

  private void passOnBehindDirties(Target target, byte[] acknowledged) {
    if (state != LeaseView.State.LIVE) {
      return; // a DIRTY before it may not have been heard
    }
    if (!barrier.addAck(() -> passOn(target, acknowledged))) {
      meters().refused("lease-limit");
    }
  }

  /** The holder of the share of name lookups that these calls use. */
  Object payer() {
    return payer;
  }

  private void passOn(Target target, byte[] acknowledged) {
    meters().leaseAcknowledged();
    servers().acknowledge(payer(), vmId, target, acknowledged, () -> run(barrier::onAckWritten));
  }

  /**
   * Does something that may end another's hold on what this session has declared: once all DIRTYs
   * so far have succeeded or failed once. Never if the gateway is shut down before. What waits is
   * not bounded here.
   *
   * @param then called without locks of the leases, perhaps within this call
   */
  public void behindDirties(Runnable then) {
    if (!run(() -> barrier.add(then))) {
      then.run(); // nothing is held or wanted any more
    }
  }

  boolean isOf(String id) {
    return session.equals(id);
  }

  /** See {@link Leases#end}. */
  boolean end(Optional<String> endpoint) {
    AtomicBoolean any = new AtomicBoolean();
    run(
        () ->
            endpoints.forEach(
                (where, places) -> {
                  if (endpoint.isEmpty() || endpoint.get().equals(where.toString())) {
                    any.compareAndSet(false, !places.isEmpty());
                    places.forEach(
                        at -> {
                          at.dropAll();
                          at.proceed();
                        });
                  }
                }));
    return any.get();
  }

  /** The agent has ended for good: everything is released at once. */
  public void release() {
    run(
        () -> {
          to(LeaseView.State.CLEANING);
          graceEnd.cancel();
          everywhere(
              at -> {
                at.dropAll();
                at.proceed();
              });
        });
  }

  /**
   * The agent has ended for good: everything is released at once.
   *
   * @param then called once, without locks of the leases, when all is released or given up; perhaps
   *     within this call
   */
  public void release(Runnable then) {
    if (run(() -> whenOver = then)) {
      release();
    } else {
      then.run();
    }
  }

  /** The link was lost: everything is released unless the agent declares it anew meanwhile. */
  public void releaseAfterGrace() {
    run(
        () -> {
          if (state == LeaseView.State.LIVE) {
            to(LeaseView.State.GRACE);
            graceEnd = clock().at(clock().nanoTime() + settings().grace().toNanos(), this::release);
            later(all::endGraceOfTooMany);
          }
        });
  }

  private void to(LeaseView.State next) {
    answers = ignored -> {};
    state = next;
    principal.ifPresent(
        of -> {
          if (next == LeaseView.State.GRACE) {
            all.accounts().linger(of, this, objects);
          } else {
            all.accounts().endGrace(of, this);
          }
        });
  }

  /** The gateway ends: no call any more. What is held is left to the servers' leases. */
  public void abandon() {
    Runnable then = () -> {};
    lock.lock();
    try {
      then = over ? then : whenOver;
      over = true;
      graceEnd.cancel();
      to(LeaseView.State.CLEANING);
      everywhere(EndpointLeases::abandon);
      endpoints.clear();
      barrier.clear();
    } finally {
      lock.unlock();
    }
    all.forget(this);
    then.run();
  }

  /** Does all that is due, because time may have jumped. */
  void wake() {
    run(() -> everywhere(EndpointLeases::proceed));
  }

  /**
   * Changes something under the lock, then says outside it what the change has brought about.
   *
   * @return false when all is over and nothing changes any more
   */
  boolean run(Runnable change) {
    List<Runnable> said;
    boolean ended;
    lock.lock();
    try {
      if (over) {
        return false;
      }
      change.run();
      barrier.takeFree().forEach(this::later);
      forgetEmpty();
      ended = endpoints.isEmpty() && barrier.waitingAcks() == 0 && state != LeaseView.State.LIVE;
      if (ended) {
        over = true;
        graceEnd.cancel();
        to(LeaseView.State.CLEANING);
      }
      said = List.copyOf(outbox);
      outbox.clear();
    } finally {
      lock.unlock();
    }
    said.forEach(Runnable::run);
    if (ended) {
      all.forget(this);
      whenOver.run();
    }
    return true;
  }

  private void everywhere(Consumer<EndpointLeases> what) {
    endpoints.values().forEach(places -> places.forEach(what));
  }

  private void forgetEmpty() {
    for (Iterator<List<EndpointLeases>> lists = endpoints.values().iterator(); lists.hasNext(); ) {
      List<EndpointLeases> list = lists.next();
      int before = list.size();
      list.removeIf(EndpointLeases::isEmpty);
      places -= before - list.size();
      if (list.isEmpty()) {
        lists.remove();
      }
    }
  }

  // For the endpoints, under the lock.

  /** Queues a task to run once the lock is free. */
  void later(Runnable saying) {
    outbox.add(saying);
  }

  void answer(PendingAnswer ask) {
    asks--;
    say(ask);
  }

  private void say(PendingAnswer ask) {
    Leased answer = ask.answer();
    Consumer<Leased> hears = answers;
    later(() -> hears.accept(answer));
  }

  /** Counts one object less, which is neither held nor wanted any more. */
  void forgotObject() {
    objects--;
    meters().leasesHeld(-1);
    principal.ifPresent(of -> all.accounts().give(of, this));
  }

  boolean isLive() {
    return state == LeaseView.State.LIVE;
  }

  long nextSequence() {
    return ++sequence;
  }

  VmIdentifier vmId() {
    return vmId;
  }

  LeaseBarrier barrier() {
    return barrier;
  }

  LeaseClock clock() {
    return all.clock();
  }

  LeaseServers servers() {
    return all.servers();
  }

  LeaseMeters meters() {
    return all.meters();
  }

  private LeaseSettings settings() {
    return all.settings();
  }

  Duration callTimeout() {
    return settings().callTimeout();
  }

  LeaseRoutes routes() {
    return routes;
  }

  /** Objects at an endpoint are not held, or a server is not told. */
  void refused(EndpointId endpoint) {
    refusals.refused(endpoint);
  }

  LeaseView view() {
    lock.lock();
    try {
      return new LeaseView(
          session,
          state.name(),
          barrier.waitingAcks(),
          endpoints.values().stream().flatMap(List::stream).map(EndpointLeases::view).toList());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String toString() {
    return "leases of session " + session;
  }
}

package io.rmigate.gateway.lookup;

import io.rmigate.gateway.lease.LeaseRoutes;
import io.rmigate.gateway.lease.Leases;
import io.rmigate.gateway.policy.WholeReply;
import io.rmigate.gateway.relay.address.Target;
import io.rmigate.gateway.relay.own.InsideCallListener;
import io.rmigate.gateway.relay.own.InsideCalls;
import io.rmigate.gateway.relay.own.InsideFailure;
import io.rmigate.protocol.jrmp.message.LiveReference;
import io.rmigate.protocol.jrmp.message.RegistryCall;
import io.rmigate.protocol.jrmp.message.ReturnHeader;
import io.rmigate.protocol.tunnel.Bound;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.Leased;
import io.rmigate.protocol.tunnel.RegistryName;
import io.rmigate.protocol.tunnel.Unbound;
import io.rmigate.protocol.tunnel.UnboundReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches names in registries for the agents that hold what they are bound to. Each name of a
 * registry is looked up once in every interval, however many sessions hold it; what has changed or
 * gone they are told.
 *
 * <pre>
 *   LOOKUP ── known, not older than the interval ──► BOUND
 *          ── else ──► one lookup inside, which all who ask meanwhile share ──► BOUND, UNBOUND
 *          ── fresh, one under way ──► the one after it ──► likewise
 *   tick ──► lookups that are due ──► the same ──► nothing
 *                                     ── another, none ──► BOUND, UNBOUND to all holders
 *   bind, rebind, unbind on any stream ──► what is known, and what is being asked, is worthless
 * </pre>
 *
 * <p>What belongs to a name: what is known of it ({@link Knowledge}), its lookups and who waits for
 * them ({@link Inquiry}), who is told of changes ({@link WatchedName}). What belongs to a session:
 * {@link Subscriptions}. What belongs to a registry: the leases ({@link WatchedRegistry}). Which of
 * them there are, {@link WatchedNames} knows.
 *
 * <p>Threads: frames from the edge, Returns and answers of leases on relay loops, {@link #tick} on
 * a timer. {@code lock} guards everything below this; frames are queued under it, so that an agent
 * hears of bindings in the order in which they were; links are flushed outside. What registries say
 * is judged once by the same rules, and before the lock is taken, as far as it is known by then who
 * will be told.
 */
public final class RegistryWatch {
  private static final Logger LOG = LoggerFactory.getLogger(RegistryWatch.class);

  /** For the sessions of one principal; for more, agents call their registries. */
  private static final int MAX_NAMES_PER_PRINCIPAL = WatchedNames.MAX_NAMES / 4;

  /** Between attempts to ask a registry for which too many calls wait. */
  private static final long ASK_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Beyond the interval: so long such attempts go on before a binding counts as gone. */
  private static final long MAX_UNCONFIRMED_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** Beyond the time for a connect: after that the agent asks by itself. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /**
   * Between a change at one registry and a look at what may be the same one by another name; and
   * between two such looks, since anybody who may rebind a name causes them.
   */
  private static final long ALIAS_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Supplier<LookupSettings> settings;
  private final InsideCalls calls;
  private final LongSupplier clock;
  private final LookupMeters meters;

  private final ReentrantLock lock = new ReentrantLock();
  private final WatchedNames names;

  /** Sessions that hold something. */
  private final Set<Subscriptions> sessions = new LinkedHashSet<>();

  private final NameQuota quota = new NameQuota(MAX_NAMES_PER_PRINCIPAL);

  /** By which it was last decided what agents may hold. */
  private LookupSettings decidedBy;

  /** Links that have got something to send. */
  private final Set<BindingHolder> touched = new LinkedHashSet<>();

  /**
   * @param settings asked again and again: a reload shows at once
   * @param routes from a registry to what it names
   * @param clock in nanoseconds
   */
  public RegistryWatch(
      Supplier<LookupSettings> settings,
      InsideCalls calls,
      Leases leases,
      Function<Target, LeaseRoutes> routes,
      LongSupplier clock,
      LookupMeters meters) {
    this.settings = settings;
    this.calls = calls;
    this.names = new WatchedNames(leases, routes, this::onLeased, clock, meters);
    this.clock = clock;
    this.meters = meters;
  }

  /** Whether agents may hold bindings. */
  public boolean enabled() {
    return settings.get().cached();
  }

  /**
   * An agent asks for a name.
   *
   * @param registry where that is
   * @param number of the LOOKUP
   * @param fresh the registry is to be asked
   */
  public void ask(
      Subscriptions session, RegistryName name, Target registry, long number, boolean fresh) {
    if (!fresh) {
      judgeAhead(() -> known(session, Map.of(name, registry)));
    }
    change(() -> doAsk(session, name, registry, number, fresh));
  }

  private void doAsk(
      Subscriptions session, RegistryName text, Target registry, long number, boolean fresh) {
    if (session.isOver()) {
      return;
    }
    Subscription subscription = session.mayAsk() ? subscribe(session, text, registry) : null;
    if (subscription == null) {
      queue(session.holder(), Unbound.answer(number, UnboundReason.NOT_CACHEABLE, ""));
      return;
    }
    WatchedName name = name(subscription);
    if (fresh) {
      name.knowledge().distrustBefore(name.inquiry().next());
    }
    boolean known = name.knowledge().isGood(clock.getAsLong(), pollNanos());
    meters.lookupAnswered(known);
    if (known) {
      tell(name, subscription, number);
      tidy(subscription);
    } else {
      join(name, subscription, number);
    }
  }

  private void join(WatchedName name, Subscription subscription, long number) {
    name.inquiry().join(new Inquiry.Ask(subscription, number), name.knowledge().goodFrom());
    if (!name.inquiry().isUnderWay()) {
      lookUp(name);
    }
  }

  private long pollNanos() {
    return settings.get().poll().toNanos();
  }

  /** The session's interest in a name, which is watched from here on; null when it may not be. */
  private Subscription subscribe(Subscriptions session, RegistryName name, Target registry) {
    if (!settings.get().mayHold(name.name())) {
      return null;
    }
    Subscription known = session.get(name);
    if (known != null && !known.registry().equals(registry)) {
      end(known); // policy sends the name elsewhere now
      known = null;
    }
    if (known == null) {
      Subscription added = new Subscription(session, name, registry);
      if (!session.mayAddName() || !quota.take(session.holder().principal(), added.key())) {
        return null;
      }
      session.add(added);
      sessions.add(session);
      known = added;
    }
    if (names.watch(registry, name.name()).isEmpty()) {
      tidy(known);
      return null;
    }
    return known;
  }

  /** A subscription of which nothing is left is none any more. */
  private void tidy(Subscription subscription) {
    Subscriptions session = subscription.session();
    if (subscription.isIdle() && session.get(subscription.name()) == subscription) {
      session.remove(subscription);
      quota.giveBack(session.holder().principal(), subscription.key());
      if (session.isEmpty()) {
        sessions.remove(session);
      }
    }
  }

  /** What the session asks for; watched, as long as somebody has an interest in it. */
  private WatchedName name(Subscription subscription) {
    return names.watch(subscription.registry(), subscription.name().name()).orElseThrow();
  }

  /** From here on these are watched whoever holds them, and no others. */
  public void keep(Set<WatchedKey> keys) {
    change(
        () -> {
          for (WatchedName name : names.all()) {
            name.keep(keys.contains(new WatchedKey(name.registry().target(), name.name())));
            names.dropIfUnneeded(name);
          }
          for (WatchedKey key : keys) {
            names.watch(key.registry(), key.name()).ifPresent(this::keep);
          }
        });
  }

  private void keep(WatchedName name) {
    boolean first = !name.isKept();
    name.keep(true);
    if (first && !name.inquiry().isUnderWay() && name.knowledge().binding() == null) {
      lookUp(name);
    }
  }

  /** An agent is going to look these up: it is told what is known, and the rest when it is. */
  public void preload(Subscriptions session, Map<RegistryName, Target> wanted) {
    judgeAhead(() -> known(session, wanted));
    change(
        () -> {
          if (!session.isOver()) {
            wanted.forEach((name, registry) -> preload(session, name, registry));
          }
        });
  }

  private void preload(Subscriptions session, RegistryName text, Target registry) {
    Subscription subscription = subscribe(session, text, registry);
    if (subscription == null) {
      return;
    }
    WatchedName name = name(subscription);
    if (name.knowledge().isGood(clock.getAsLong(), pollNanos())) {
      tell(name, subscription, 0);
      tidy(subscription);
    } else {
      join(name, subscription, 0); // as a push, when it is known
    }
  }

  /**
   * The agent answers with this binding no more, and will say nothing about it again.
   *
   * @return what lets go of the binding; empty when the agent did not hold it
   */
  public Optional<Runnable> forgetting(Subscriptions session, long binding) {
    lock.lock();
    try {
      return Optional.ofNullable(session.forgetting(binding))
          .map(subscription -> () -> change(() -> forgot(subscription, binding)));
    } finally {
      lock.unlock();
    }
  }

  private void forgot(Subscription subscription, long number) {
    boolean wasLatest = subscription.latest() == number;
    WatchedBinding binding = subscription.forgot(number);
    if (binding == null) {
      return; // the session has ended meanwhile
    }
    subscription.session().forgot(1);
    names.release(subscription, binding);
    if (wasLatest) {
      leave(subscription);
    }
    tidy(subscription);
  }

  /** The session has ended. */
  public void end(Subscriptions session) {
    change(
        () -> {
          session.end();
          session.all().forEach(this::end);
        });
  }

  /** Nothing is held any more, and what is waited for is left to the registry. */
  private void end(Subscription subscription) {
    Subscriptions session = subscription.session();
    names
        .known(subscription)
        .ifPresent(
            name -> {
              for (Inquiry.Ask ask : name.inquiry().takeOf(subscription)) {
                leaveToRegistry(ask);
              }
            });
    session.forgetAll(subscription.told().keySet());
    session.forgot(subscription.told().size());
    List<WatchedBinding> told = List.copyOf(subscription.told().values());
    subscription.told().clear();
    subscription.voided();
    told.forEach(binding -> names.release(subscription, binding));
    leave(subscription);
    tidy(subscription);
  }

  private void leave(Subscription subscription) {
    names
        .known(subscription)
        .ifPresent(
            name -> {
              name.holders().remove(subscription);
              names.dropIfUnneeded(name);
            });
  }

  /**
   * A bind, rebind or unbind is about to be sent to a registry, or its Return has begun to come. A
   * host may have several names, and policy several ways to one: so registries elsewhere at the
   * same port are asked soon too, and until then nobody is answered with what is known of that name
   * there.
   *
   * @param name empty when it is not known which one
   */
  public void changed(Target registry, Optional<String> name) {
    change(
        () -> {
          for (WatchedRegistry each : names.registries()) {
            if (each.isAt(registry)) {
              name.map(each.names()::get)
                  .map(List::of)
                  .orElseGet(
                      () -> name.isPresent() ? List.of() : List.copyOf(each.names().values()))
                  .forEach(this::changed);
            } else if (name.isPresent() && each.target().port() == registry.port()) {
              WatchedName alias = each.names().get(name.get());
              if (alias != null) {
                alias.knowledge().distrustBefore(alias.inquiry().next());
                alias.inquiry().dueBy(alias.inquiry().beganNanos() + ALIAS_PAUSE_NANOS);
              }
            }
          }
        });
  }

  private void changed(WatchedName name) {
    name.knowledge().distrustBefore(name.inquiry().next());
    name.inquiry().makeWorthless();
    if (!name.inquiry().isUnderWay()) {
      lookUp(name);
    }
  }

  /** Looks up what is due, and lets go what has been kept long enough. */
  public void tick(long sinceLastTickNanos) {
    judgeAhead(this::heldByOthersRules);
    change(
        () -> {
          voidWhatMayNotBeSeen();
          long now = clock.getAsLong();
          for (WatchedName name : names.all()) {
            names.dropIfUnneeded(name);
            if (name.isNeeded() && name.inquiry().isDue(now, sinceLastTickNanos)) {
              lookUp(name);
            }
          }
          names.dropRetired();
        });
  }

  /** Sessions are asked about their names only when something has changed that this hangs on. */
  private void voidWhatMayNotBeSeen() {
    LookupSettings now = settings.get();
    boolean others = !now.equals(decidedBy);
    decidedBy = now;
    for (Subscriptions session : List.copyOf(sessions)) {
      if (session.sees(session.holder().view()) || others) {
        for (Subscription each : session.all()) {
          boolean may =
              now.mayHold(each.name().name())
                  && session.holder().maySee(each.name(), each.registry());
          if (each.latest() != 0
              && !(may && refusal(each, each.told().get(each.latest()).reply()).isEmpty())) {
            push(name(each), each, UnboundReason.GONE);
            tidy(each);
          }
        }
      }
    }
  }

  /** One row for each watched name. */
  public List<WatchedView> views() {
    lock.lock();
    try {
      long now = clock.getAsLong();
      return names.all().stream().map(name -> view(name, now)).toList();
    } finally {
      lock.unlock();
    }
  }

  private static WatchedView view(WatchedName name, long now) {
    WatchedBinding current = name.knowledge().binding();
    return new WatchedView(
        name.registry().target().toString(),
        name.name(),
        current == null
            ? List.of()
            : current.references().stream().map(LiveReference::toString).toList(),
        current == null ? -1 : TimeUnit.NANOSECONDS.toMillis(name.knowledge().ageNanos(now)),
        name.holders().size(),
        name.isKept());
  }

  /** One of those for whom it is looked up; the watch itself, where that is nobody. */
  private Object payer(WatchedName name) {
    return Stream.concat(
            name.inquiry().waiting().stream().map(Inquiry.Ask::subscription),
            name.holders().stream())
        .findFirst()
        .map(first -> first.holder().payer())
        .orElse(this);
  }

  private void lookUp(WatchedName name) {
    name.inquiry().begin(clock.getAsLong(), pollNanos());
    Target target = name.registry().target();
    meters.registryAsked();
    calls.call(
        this,
        payer(name),
        target,
        RegistryCall.lookup(name.name()),
        InsideCalls.Result.OBJECT,
        target.connectTimeout().plus(PATIENCE),
        new InsideCallListener() {
          @Override
          public void onReturn(byte[] message) {
            WatchedBinding told = new WatchedBinding(new WholeReply(message));
            judgeAhead(() -> concerned(name, told));
            change(() -> ended(name, () -> returned(name, told), message));
          }

          @Override
          public void onFailure(InsideFailure failure) {
            change(() -> ended(name, () -> failed(name, failure), new byte[0]));
          }
        });
  }

  /**
   * A lookup has ended.
   *
   * @param then what is done about it, if it counts
   * @param message to be acknowledged if it does not
   */
  private void ended(WatchedName name, Runnable then, byte[] message) {
    if (name.inquiry().end() || !name.isNeeded()) {
      then.run();
    } else {
      name.registry().acknowledge(message); // nobody is told of what it holds
      if (name.inquiry().isHopeless()) {
        LOG.debug("{}: changes faster than it can be looked up", name);
        answerAll(name, ask -> Unbound.answer(ask.number(), UnboundReason.NOT_CACHEABLE, ""));
        voidAll(name, UnboundReason.CHANGED);
      } else {
        lookUp(name);
      }
    }
    if (!name.inquiry().isUnderWay() && name.inquiry().isWanted()) {
      lookUp(name);
    } else {
      names.dropIfUnneeded(name);
    }
  }

  private void returned(WatchedName name, WatchedBinding binding) {
    byte[] message = binding.message();
    ReturnHeader header = ReturnHeader.decode(message, 0, message.length).orElseThrow();
    if (header.exceptional()) {
      answerAll(
          name,
          ask ->
              message.length <= Bound.MAX_MESSAGE_BYTES
                  ? thrown(ask, binding.reply())
                  : Unbound.answer(ask.number(), UnboundReason.NOT_CACHEABLE, ""));
      voidAll(name, UnboundReason.GONE);
      return;
    }
    if (!binding.isCacheable()) {
      name.registry().acknowledge(message);
      answerAll(name, ask -> Unbound.answer(ask.number(), UnboundReason.NOT_CACHEABLE, ""));
      voidAll(name, UnboundReason.CHANGED);
      return;
    }
    boolean same = name.knowledge().is(binding);
    if (same) {
      learn(name, name.knowledge().binding());
    } else {
      names.retire(name);
      learn(name, binding);
      binding.use();
      name.registry().hold(name, binding);
    }
    name.registry().acknowledge(message);
    if (name.knowledge().binding() == null) { // refused at once, and who held another one told so
      answerAll(name, ask -> Unbound.answer(ask.number(), UnboundReason.NOT_CACHEABLE, ""));
      return;
    }
    Set<Subscription> answered = new LinkedHashSet<>();
    for (Inquiry.Ask ask : name.inquiry().take()) {
      answered.add(ask.subscription());
      tell(name, ask.subscription(), ask.number());
      tidy(ask.subscription());
    }
    if (!same) {
      for (Subscription holder : List.copyOf(name.holders())) {
        if (!answered.contains(holder)) {
          tell(name, holder, 0);
          tidy(holder);
        }
      }
    }
  }

  /** What a registry has thrown, as far as that may pass. */
  private static Unbound thrown(Inquiry.Ask ask, WholeReply reply) {
    return refusal(ask.subscription(), reply)
        .map(text -> Unbound.answer(ask.number(), UnboundReason.OPERATION_NOT_PERMITTED, text))
        .orElseGet(() -> Unbound.notBound(ask.number(), message(ask.subscription(), reply)));
  }

  private static byte[] message(Subscription to, WholeReply reply) {
    return to.holder().message(to.name(), to.registry(), reply);
  }

  private static Optional<String> refusal(Subscription to, WholeReply reply) {
    return to.holder().refusal(to.name(), to.registry(), reply);
  }

  private static void learn(WatchedName name, WatchedBinding binding) {
    Inquiry inquiry = name.inquiry();
    name.knowledge().learn(binding, inquiry.number(), inquiry.beganNanos());
  }

  private void failed(WatchedName name, InsideFailure failure) {
    LOG.debug("{}: not looked up: {}", name, failure.text());
    answerAll(
        name,
        ask ->
            failure
                .refusal()
                .map(
                    reason ->
                        Unbound.answer(ask.number(), UnboundReason.of(reason), failure.text()))
                .orElseGet(() -> Unbound.answer(ask.number(), UnboundReason.NOT_CACHEABLE, "")));
    if (failure.kind() == InsideFailure.Kind.OVERLOADED && mayWait(name)) {
      // It has not been asked, which says nothing of what it would have answered.
      name.inquiry().dueBy(clock.getAsLong() + Math.min(ASK_AGAIN_NANOS, pollNanos()));
    } else {
      voidAll(name, UnboundReason.GONE);
    }
  }

  /** What has not been confirmed for too long is not to be believed, whatever the reason. */
  private boolean mayWait(WatchedName name) {
    long unconfirmed = name.knowledge().ageNanos(clock.getAsLong()) - pollNanos();
    return unconfirmed < MAX_UNCONFIRMED_NANOS;
  }

  /** Answers those who have waited for the lookup that has ended. */
  private void answerAll(WatchedName name, Function<Inquiry.Ask, Unbound> answer) {
    for (Inquiry.Ask ask : name.inquiry().take()) {
      ask.subscription().voided();
      name.holders().remove(ask.subscription());
      if (ask.number() != 0) { // else nobody waits for it
        queue(ask.subscription().holder(), answer.apply(ask));
      }
      tidy(ask.subscription());
    }
  }

  private void leaveToRegistry(Inquiry.Ask ask) {
    if (ask.number() != 0) {
      queue(
          ask.subscription().holder(),
          Unbound.answer(ask.number(), UnboundReason.NOT_CACHEABLE, ""));
    }
  }

  private void voidAll(WatchedName name, UnboundReason reason) {
    names.retire(name);
    for (Subscription holder : List.copyOf(name.holders())) {
      push(name, holder, reason);
      tidy(holder);
    }
    names.dropIfUnneeded(name);
  }

  private void push(WatchedName name, Subscription holder, UnboundReason reason) {
    name.holders().remove(holder);
    holder.voided();
    queue(holder.holder(), Unbound.push(holder.name(), reason));
    meters.bindingPushed();
  }

  /**
   * Tells an agent what the name is bound to.
   *
   * @param number of the LOOKUP that this answers; 0 when it is a push
   */
  private void tell(WatchedName name, Subscription to, long number) {
    Subscriptions session = to.session();
    BindingHolder holder = session.holder();
    if (number == 0 && !holder.maySee(to.name(), to.registry())) {
      push(name, to, UnboundReason.GONE);
      return;
    }
    if (!session.mayBeTold()) {
      if (number == 0) {
        push(name, to, UnboundReason.GONE);
      } else {
        name.holders().remove(to);
        to.voided();
        queue(holder, Unbound.answer(number, UnboundReason.NOT_CACHEABLE, ""));
      }
      return;
    }
    WatchedBinding binding = name.knowledge().binding();
    Optional<String> refusal = refusal(to, binding.reply());
    if (refusal.isPresent()) {
      if (number == 0 && to.latest() != 0) {
        push(name, to, UnboundReason.GONE);
        return;
      }
      name.holders().remove(to);
      to.voided();
      if (number != 0) {
        queue(holder, Unbound.answer(number, UnboundReason.OPERATION_NOT_PERMITTED, refusal.get()));
      }
      return;
    }
    long named = session.tell(to, binding);
    binding.use();
    name.holders().add(to);
    holder.learn(to.name(), to.registry(), binding.references(), binding.interfaces());
    Optional<RegistryName> pushed = number == 0 ? Optional.of(to.name()) : Optional.empty();
    queue(holder, new Bound(number, named, pushed, message(to, binding.reply())));
    if (number == 0) {
      meters.bindingPushed();
    }
  }

  private void queue(BindingHolder to, Frame frame) {
    to.queue(frame);
    touched.add(to);
  }

  /** The server has granted a lease on what is bound, or has not. */
  private void onLeased(Target target, Leased answer) {
    change(
        () -> {
          Map<WatchedBinding, WatchedName> concerned =
              names.registry(target).map(its -> its.answered(answer.number())).orElse(Map.of());
          if (answer.outcome() == Leased.Outcome.HELD) {
            return;
          }
          concerned.forEach(
              (binding, name) -> {
                if (name.knowledge().binding() == binding) {
                  LOG.debug("{}: no lease: {}", name, answer.text());
                  voidAll(name, UnboundReason.CHANGED);
                }
              });
        });
  }

  /** One that will be asked about a reply. */
  private record Judging(
      BindingHolder holder, RegistryName name, Target registry, WholeReply reply) {
    Judging(Subscription subscription, WholeReply reply) {
      this(subscription.holder(), subscription.name(), subscription.registry(), reply);
    }
  }

  /** Has replies judged of which somebody is going to be told; without locks. */
  private void judgeAhead(Supplier<List<Judging>> which) {
    List<Judging> all;
    lock.lock();
    try {
      all = which.get();
    } finally {
      lock.unlock();
    }
    all.forEach(each -> each.holder().judge(each.name(), each.registry(), each.reply()));
  }

  /** What is known of these. */
  private List<Judging> known(Subscriptions session, Map<RegistryName, Target> wanted) {
    List<Judging> known = new ArrayList<>();
    wanted.forEach(
        (name, registry) ->
            names
                .registry(registry)
                .map(watched -> watched.names().get(name.name()))
                .map(watched -> watched.knowledge().binding())
                .ifPresent(
                    binding ->
                        known.add(new Judging(session.holder(), name, registry, binding.reply()))));
    return known;
  }

  /** Who waits for what a registry has told; who holds something, if that is something else. */
  private List<Judging> concerned(WatchedName name, WatchedBinding told) {
    if (told.message().length > Bound.MAX_MESSAGE_BYTES) {
      return List.of(); // nobody is told
    }
    boolean same = name.knowledge().is(told);
    WholeReply reply = (same ? name.knowledge().binding() : told).reply();
    List<Judging> concerned = new ArrayList<>();
    name.inquiry().waiting().forEach(ask -> concerned.add(new Judging(ask.subscription(), reply)));
    if (!same) {
      name.holders().forEach(holder -> concerned.add(new Judging(holder, reply)));
    }
    return concerned;
  }

  /** What is held in sessions of which it is to be decided anew what they may hold. */
  private List<Judging> heldByOthersRules() {
    List<Judging> held = new ArrayList<>();
    boolean others = !settings.get().equals(decidedBy);
    for (Subscriptions session : sessions) {
      if (others || session.hasSeenOther(session.holder().view())) {
        session.all().stream()
            .filter(each -> each.latest() != 0)
            .forEach(each -> held.add(new Judging(each, each.told().get(each.latest()).reply())));
      }
    }
    return held;
  }

  /** Changes something under the lock, then lets the links send what that has brought about. */
  private void change(Runnable what) {
    List<BindingHolder> toFlush;
    lock.lock();
    try {
      what.run();
      if (lock.getHoldCount() > 1) {
        return; // an outer change flushes
      }
      toFlush = List.copyOf(touched);
      touched.clear();
    } finally {
      lock.unlock();
    }
    toFlush.forEach(BindingHolder::flush);
  }
}

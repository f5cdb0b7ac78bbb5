package io.rmigate.gateway.lookup;

import io.rmigate.gateway.lease.LeaseRoutes;
import io.rmigate.gateway.lease.Leases;
import io.rmigate.gateway.relay.address.Target;
import io.rmigate.gateway.relay.own.OwnCalls;
import io.rmigate.protocol.tunnel.Leased;
import io.rmigate.protocol.tunnel.RegistryName;
import io.rmigate.protocol.tunnel.Unbound;
import io.rmigate.protocol.tunnel.UnboundReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches names in registries for the agents that hold their bindings. Each name of a registry is
 * looked up once in every interval for all sessions together; the sessions are told of changes.
 *
 * <pre>
 *   LOOKUP ── known, not older than the interval ──► BOUND
 *          ── else ──► one lookup inside, which all who ask meanwhile share ──► BOUND, UNBOUND
 *          ── fresh, one under way ──► the one after it ──► BOUND, UNBOUND
 *   tick ──► lookups that are due ──► the same ──► nothing
 *                                     ── another, none ──► BOUND, UNBOUND to all holders
 *   bind, rebind, unbind on any stream ──► what is known, and what is being asked, is worthless
 * </pre>
 *
 * <p>A name ({@link WatchedName}) has its binding ({@link KnownBinding}), its lookups ({@link
 * PendingLookups}) and its holders. A session has {@link Subscriptions}. A registry has the leases
 * ({@link WatchedRegistry}). {@link WatchedNames} and {@link SubscriptionTable} list them, {@link
 * RegistryLookups} asks registries, and {@link BindingNotifier} tells agents.
 *
 * <p>Threads: frames from the edge, Returns and answers of leases on relay loops, {@link #tick} on
 * a timer. {@link WatchLock} guards everything. Replies of registries are judged once for sessions
 * with the same rules, and before the lock is taken.
 */
public final class RegistryWatch {
  private static final Logger LOG = LoggerFactory.getLogger(RegistryWatch.class);

  /** Names of one principal's sessions; for more, agents call their registries. */
  private static final int MAX_NAMES_PER_PRINCIPAL = WatchedNames.MAX_NAMES / 4;

  /**
   * Pause between a change at one registry and a lookup at what may be the same registry by another
   * name; and between two such lookups, because every client that may rebind a name causes them.
   */
  private static final long ALIAS_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Supplier<LookupSettings> settings;
  private final LongSupplier clock;
  private final LookupMeters meters;

  private final WatchedNames names;

  private final SubscriptionTable table = new SubscriptionTable(MAX_NAMES_PER_PRINCIPAL);
  private final BindingNotifier notifier;
  private final WatchLock guard;
  private final RegistryLookups lookups;

  /** The settings that the latest decision on held bindings used. */
  private LookupSettings decidedBy;

  /**
   * @param settings in force now
   * @param routes from a registry to the objects that it names
   * @param clock in nanoseconds
   */
  public RegistryWatch(
      Supplier<LookupSettings> settings,
      OwnCalls calls,
      Leases leases,
      Function<Target, LeaseRoutes> routes,
      LongSupplier clock,
      LookupMeters meters) {
    this.settings = settings;
    this.names = new WatchedNames(leases, routes, this::onLeased, clock, meters);
    this.notifier = new BindingNotifier(names, table, meters);
    this.guard = new WatchLock(notifier);
    this.lookups = new RegistryLookups(guard, names, table, notifier, settings, calls, meters);
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
      guard.judgeAhead(() -> PendingVerdict.known(names, session, Map.of(name, registry)));
    }
    guard.change(() -> doAsk(session, name, registry, number, fresh));
  }

  private void doAsk(
      Subscriptions session, RegistryName text, Target registry, long number, boolean fresh) {
    if (session.isOver()) {
      return;
    }
    Subscription subscription = session.mayAsk() ? subscribe(session, text, registry) : null;
    if (subscription == null) {
      notifier.queue(session.holder(), Unbound.answer(number, UnboundReason.NOT_CACHEABLE, ""));
      return;
    }
    WatchedName name = name(subscription);
    if (fresh) {
      name.knowledge().distrustBefore(name.inquiry().next());
    }
    boolean known = name.knowledge().isGood(clock.getAsLong(), pollNanos());
    meters.lookupAnswered(known);
    if (known) {
      notifier.tell(name, subscription, number);
      table.tidy(subscription);
    } else {
      join(name, subscription, number);
    }
  }

  private void join(WatchedName name, Subscription subscription, long number) {
    name.inquiry()
        .join(new PendingLookups.Request(subscription, number), name.knowledge().goodFrom());
    if (!name.inquiry().isUnderWay()) {
      lookups.begin(name);
    }
  }

  private long pollNanos() {
    return settings.get().poll().toNanos();
  }

  /** Subscribes a session to a name; null when it may not hold the name. */
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
      if (!table.add(added)) {
        return null;
      }
      known = added;
    }
    if (names.watch(registry, name.name()).isEmpty()) {
      table.tidy(known);
      return null;
    }
    return known;
  }

  /** The watched name of a subscription. */
  private WatchedName name(Subscription subscription) {
    return names.watch(subscription.registry(), subscription.name().name()).orElseThrow();
  }

  /** Sets the names that are watched even if no session holds them. */
  public void keep(Set<WatchedKey> keys) {
    guard.change(
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
      lookups.begin(name);
    }
  }

  /**
   * An agent is going to look up these names: it is told their bindings, the unknown ones later.
   */
  public void preload(Subscriptions session, Map<RegistryName, Target> wanted) {
    guard.judgeAhead(() -> PendingVerdict.known(names, session, wanted));
    guard.change(
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
      notifier.tell(name, subscription, 0);
      table.tidy(subscription);
    } else {
      join(name, subscription, 0); // as a push, when it is known
    }
  }

  /**
   * The agent has forgotten a binding.
   *
   * @return releases the binding; empty when the agent did not hold it
   */
  public Optional<Runnable> forgetting(Subscriptions session, long binding) {
    return guard.read(
        () ->
            Optional.ofNullable(session.forgetting(binding))
                .map(subscription -> () -> guard.change(() -> forgot(subscription, binding))));
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
    table.tidy(subscription);
  }

  /** The session has ended. */
  public void end(Subscriptions session) {
    guard.change(
        () -> {
          session.end();
          session.all().forEach(this::end);
        });
  }

  /** Ends a subscription; its waiting LOOKUPs are left to the registry. */
  private void end(Subscription subscription) {
    Subscriptions session = subscription.session();
    names
        .known(subscription)
        .ifPresent(
            name -> {
              for (PendingLookups.Request ask : name.inquiry().takeOf(subscription)) {
                notifier.leaveToRegistry(ask);
              }
            });
    session.forgetAll(subscription.told().keySet());
    session.forgot(subscription.told().size());
    List<WatchedBinding> told = List.copyOf(subscription.told().values());
    subscription.told().clear();
    subscription.voided();
    told.forEach(binding -> names.release(subscription, binding));
    leave(subscription);
    table.tidy(subscription);
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
   * host may have several names, and policy several ways to one host. So registries at the same
   * port of other hosts are asked soon, too, and until then no agent is answered with their known
   * binding of that name.
   *
   * @param name empty when the changed name is not known
   */
  public void changed(Target registry, Optional<String> name) {
    guard.change(
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
      lookups.begin(name);
    }
  }

  /** Looks up the names that are due, and releases bindings that were retired long enough ago. */
  public void tick(long sinceLastTickNanos) {
    guard.judgeAhead(this::heldByOthersRules);
    guard.change(
        () -> {
          voidWhatMayNotBeSeen();
          long now = clock.getAsLong();
          for (WatchedName name : names.all()) {
            names.dropIfUnneeded(name);
            if (name.isNeeded() && name.inquiry().isDue(now, sinceLastTickNanos)) {
              lookups.begin(name);
            }
          }
          names.dropRetired();
        });
  }

  /**
   * Voids bindings that sessions may no longer see. Asks a session only after a change of its rules
   * or of the settings.
   */
  private void voidWhatMayNotBeSeen() {
    LookupSettings now = settings.get();
    boolean others = !now.equals(decidedBy);
    decidedBy = now;
    for (Subscriptions session : table.sessions()) {
      if (session.sees(session.holder().view()) || others) {
        for (Subscription each : session.all()) {
          boolean may =
              now.mayHold(each.name().name())
                  && session.holder().maySee(each.name(), each.registry());
          if (each.latest() != 0
              && !(may
                  && BindingNotifier.refusal(each, each.told().get(each.latest()).reply())
                      .isEmpty())) {
            notifier.push(name(each), each, UnboundReason.GONE);
            table.tidy(each);
          }
        }
      }
    }
  }

  /** One row for each watched name. */
  public List<WatchedView> views() {
    long now = clock.getAsLong();
    return guard.read(() -> names.all().stream().map(name -> name.view(now)).toList());
  }

  /** A server has granted or refused a lease on a bound object. */
  private void onLeased(Target target, Leased answer) {
    guard.change(
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
                  notifier.voidAll(name, UnboundReason.CHANGED);
                }
              });
        });
  }

  /** The held bindings of sessions whose rules have changed. */
  private List<PendingVerdict> heldByOthersRules() {
    List<PendingVerdict> held = new ArrayList<>();
    boolean others = !settings.get().equals(decidedBy);
    for (Subscriptions session : table.sessions()) {
      if (others || session.hasSeenOther(session.holder().view())) {
        session.all().stream()
            .filter(each -> each.latest() != 0)
            .forEach(
                each -> held.add(new PendingVerdict(each, each.told().get(each.latest()).reply())));
      }
    }
    return held;
  }
}

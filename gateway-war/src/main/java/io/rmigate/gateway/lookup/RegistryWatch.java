package io.rmigate.gateway.lookup;

import io.rmigate.gateway.lease.LeaseRoutes;
import io.rmigate.gateway.lease.Leases;
import io.rmigate.gateway.relay.InsideCallListener;
import io.rmigate.gateway.relay.InsideCalls;
import io.rmigate.gateway.relay.InsideFailure;
import io.rmigate.gateway.relay.Target;
import io.rmigate.protocol.jrmp.LiveReference;
import io.rmigate.protocol.jrmp.RegistryCall;
import io.rmigate.protocol.jrmp.ReturnHeader;
import io.rmigate.protocol.tunnel.Bound;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.Leased;
import io.rmigate.protocol.tunnel.RegistryName;
import io.rmigate.protocol.tunnel.Unbound;
import io.rmigate.protocol.tunnel.UnboundReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
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
 *   tick ──► lookups that are due ──► the same ──► nothing
 *                                     ── another, none ──► BOUND, UNBOUND to all holders
 *   bind, rebind, unbind on any stream ──► what is known, and what is being asked, is worthless
 * </pre>
 *
 * <p>Threads: frames from the edge, Returns and answers of leases on relay loops, {@link #tick} on
 * a timer. {@code lock} guards everything below this; frames are queued under it, so that an agent
 * hears of bindings in the order in which they were; links are flushed outside.
 */
public final class RegistryWatch {
  private static final Logger LOG = LoggerFactory.getLogger(RegistryWatch.class);

  /** All over the gateway; for more, agents call their registries. */
  private static final int MAX_NAMES = 10_000;

  /** So long a lease is kept for agents that have not said that they have forgotten. */
  private static final long MAX_RETIRED_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** Between attempts to ask a registry for which too many calls wait. */
  private static final long ASK_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Beyond the interval: so long such attempts go on before a binding counts as gone. */
  private static final long MAX_UNCONFIRMED_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** Beyond the time for a connect: after that the agent asks by itself. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Supplier<LookupSettings> settings;
  private final InsideCalls calls;
  private final Leases leases;
  private final Function<Target, LeaseRoutes> routes;
  private final LongSupplier clock;
  private final LookupMeters meters;

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Target, WatchedRegistry> registries = new HashMap<>();

  /** Bindings that no name has any more, and that some agent may still need. */
  private final Map<WatchedBinding, WatchedRegistry> retired = new HashMap<>();

  private int names;

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
    this.leases = leases;
    this.routes = routes;
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
   * @param fresh the registry is to be asked
   */
  public void ask(Subscription subscription, long number, boolean fresh) {
    change(() -> doAsk(subscription, number, fresh));
  }

  private void doAsk(Subscription subscription, long number, boolean fresh) {
    if (subscription.hasEnded()) {
      return;
    }
    Optional<WatchedName> found =
        settings.get().mayHold(subscription.name().name())
            ? watched(subscription)
            : Optional.empty();
    if (found.isEmpty()) {
      queue(subscription, Unbound.answer(number, UnboundReason.NOT_CACHEABLE, ""));
      return;
    }
    WatchedName name = found.get();
    long now = clock.getAsLong();
    if (fresh) {
      name.version++;
    } else if (name.current != null && now - name.askedNanos <= settings.get().poll().toNanos()) {
      tell(name, subscription, number);
      meters.lookupAnswered(true);
      return;
    }
    name.asks.add(new WatchedName.Ask(subscription, number));
    meters.lookupAnswered(false);
    if (!name.asking) {
      lookUp(name);
    }
  }

  private Optional<WatchedName> watched(Subscription subscription) {
    return watched(subscription.registry(), subscription.name().name());
  }

  /** The name, watched from here on; empty when too many are. */
  private Optional<WatchedName> watched(Target target, String text) {
    WatchedRegistry registry = registries.get(target);
    WatchedName known = registry == null ? null : registry.names().get(text);
    if (known != null) {
      return Optional.of(known);
    }
    if (names >= MAX_NAMES) {
      return Optional.empty();
    }
    if (registry == null) {
      registry =
          new WatchedRegistry(
              target, leases, routes.apply(target), answer -> onLeased(target, answer));
      registries.put(target, registry);
    }
    WatchedName added = new WatchedName(registry, text);
    registry.names().put(text, added);
    names++;
    meters.namesWatched(1);
    return Optional.of(added);
  }

  /** From here on these are watched whoever holds them, and no others. */
  public void keep(Set<WatchedKey> keys) {
    change(
        () -> {
          List<WatchedName> all = new ArrayList<>();
          registries.values().forEach(registry -> all.addAll(registry.names().values()));
          for (WatchedName name : all) {
            name.kept = keys.contains(new WatchedKey(name.registry.target(), name.name));
            dropIfUnneeded(name);
          }
          for (WatchedKey key : keys) {
            watched(key.registry(), key.name())
                .filter(name -> !name.kept)
                .ifPresent(
                    name -> {
                      name.kept = true;
                      if (!name.asking && name.current == null) {
                        lookUp(name);
                      }
                    });
          }
        });
  }

  /** An agent is going to look these up: it is told what is known, and the rest when it is. */
  public void preload(List<Subscription> subscriptions) {
    change(
        () -> {
          for (Subscription subscription : subscriptions) {
            if (!subscription.hasEnded() && settings.get().mayHold(subscription.name().name())) {
              watched(subscription).ifPresent(name -> preload(name, subscription));
            }
          }
        });
  }

  private void preload(WatchedName name, Subscription subscription) {
    long age = clock.getAsLong() - name.askedNanos;
    if (name.current != null && age <= settings.get().poll().toNanos()) {
      tell(name, subscription, 0);
      return;
    }
    name.asks.add(new WatchedName.Ask(subscription, 0)); // as a push, when it is known
    if (!name.asking) {
      lookUp(name);
    }
  }

  /** The agent answers with this binding no more. */
  public void forgot(Subscription subscription, long binding) {
    change(
        () -> {
          boolean wasLatest = subscription.latest() == binding;
          WatchedBinding forgotten = subscription.forgot(binding);
          if (forgotten != null) {
            WatchedRegistry registry = registries.get(subscription.registry());
            if (registry != null) {
              release(registry, forgotten);
            }
          }
          if (wasLatest) {
            leave(subscription);
          }
        });
  }

  /** The session has ended. */
  public void end(List<Subscription> subscriptions) {
    change(
        () -> {
          for (Subscription subscription : subscriptions) {
            subscription.end();
            WatchedRegistry registry = registries.get(subscription.registry());
            if (registry == null) {
              continue;
            }
            subscription.told().values().forEach(binding -> release(registry, binding));
            subscription.told().clear();
            WatchedName name = registry.names().get(subscription.name().name());
            if (name != null) {
              name.asks.removeIf(ask -> ask.subscription() == subscription);
            }
            leave(subscription);
          }
        });
  }

  private void leave(Subscription subscription) {
    WatchedRegistry registry = registries.get(subscription.registry());
    WatchedName name = registry == null ? null : registry.names().get(subscription.name().name());
    if (name != null) {
      name.holders.remove(subscription);
      dropIfUnneeded(name);
    }
  }

  private void dropIfUnneeded(WatchedName name) {
    if (name.isNeeded() || name.asking) {
      return;
    }
    retire(name);
    if (name.registry.names().remove(name.name, name)) {
      names--;
      meters.namesWatched(-1);
    }
    endIfUnneeded(name.registry);
  }

  private void endIfUnneeded(WatchedRegistry registry) {
    if (registry.names().isEmpty()
        && !retired.containsValue(registry)
        && registries.remove(registry.target(), registry)) {
      registry.end();
    }
  }

  /**
   * A bind, rebind or unbind is about to be sent to a registry, or its Return has begun to come.
   *
   * @param name empty when it is not known which one
   */
  public void changed(Target registry, Optional<String> name) {
    change(
        () -> {
          WatchedRegistry watched = registries.get(registry);
          if (watched == null) {
            return;
          }
          for (WatchedName each : List.copyOf(watched.names().values())) {
            if (name.isEmpty() || name.get().equals(each.name)) {
              each.version++;
              each.askedNanos = clock.getAsLong() - settings.get().poll().toNanos() - 1;
              if (!each.asking) {
                lookUp(each);
              }
            }
          }
        });
  }

  /** Looks up what is due, and lets go what has been kept long enough. */
  public void tick(long sinceLastTickNanos) {
    change(
        () -> {
          long now = clock.getAsLong();
          List<WatchedName> all = new ArrayList<>();
          registries.values().forEach(registry -> all.addAll(registry.names().values()));
          for (WatchedName name : all) {
            boolean mayHold = settings.get().mayHold(name.name);
            for (Subscription holder : List.copyOf(name.holders)) {
              if (!mayHold || !holder.holder().maySee(holder)) {
                push(name, holder, UnboundReason.GONE);
              }
            }
            dropIfUnneeded(name);
            if (name.isNeeded() && !name.asking && name.pollNanos - now <= sinceLastTickNanos) {
              lookUp(name);
            }
          }
          for (Map.Entry<WatchedBinding, WatchedRegistry> old : List.copyOf(retired.entrySet())) {
            if (old.getKey().isRetiredSince(now - MAX_RETIRED_NANOS)) {
              drop(old.getValue(), old.getKey());
            }
          }
        });
  }

  /** One row for each watched name. */
  public List<WatchedView> views() {
    lock.lock();
    try {
      long now = clock.getAsLong();
      return registries.values().stream()
          .flatMap(registry -> registry.names().values().stream())
          .map(name -> view(name, now))
          .toList();
    } finally {
      lock.unlock();
    }
  }

  private static WatchedView view(WatchedName name, long now) {
    WatchedBinding current = name.current;
    return new WatchedView(
        name.registry.target().toString(),
        name.name,
        current == null
            ? List.of()
            : current.references().stream().map(LiveReference::toString).toList(),
        current == null ? -1 : TimeUnit.NANOSECONDS.toMillis(now - name.askedNanos),
        name.holders.size(),
        name.kept);
  }

  private void lookUp(WatchedName name) {
    int version = name.version;
    long began = clock.getAsLong();
    name.asking = true;
    name.pollNanos = began + settings.get().poll().toNanos();
    Target target = name.registry.target();
    meters.registryAsked();
    calls.call(
        this,
        target,
        RegistryCall.lookup(name.name),
        InsideCalls.Result.OBJECT,
        target.connectTimeout().plus(PATIENCE),
        new InsideCallListener() {
          @Override
          public void onReturn(byte[] message) {
            change(() -> returned(name, version, began, message));
          }

          @Override
          public void onFailure(InsideFailure failure) {
            change(() -> failed(name, version, failure));
          }
        });
  }

  /** Whether the lookup tells anything; else another one has begun. */
  private boolean isGood(WatchedName name, int version) {
    name.asking = false;
    if (version == name.version || !name.isNeeded()) {
      return true;
    }
    lookUp(name);
    return false;
  }

  private void returned(WatchedName name, int version, long began, byte[] message) {
    if (!isGood(name, version)) {
      name.registry.acknowledge(message); // nobody is told of what it holds
      return;
    }
    ReturnHeader header = ReturnHeader.decode(message, 0, message.length).orElseThrow();
    if (header.exceptional()) {
      answerAll(
          name,
          number ->
              message.length <= Bound.MAX_MESSAGE_BYTES
                  ? Unbound.notBound(number, message)
                  : Unbound.answer(number, UnboundReason.NOT_CACHEABLE, ""));
      voidAll(name, UnboundReason.GONE);
      return;
    }
    WatchedBinding binding = new WatchedBinding(message);
    if (!binding.isCacheable()) {
      name.registry.acknowledge(message);
      answerAll(name, number -> Unbound.answer(number, UnboundReason.NOT_CACHEABLE, ""));
      voidAll(name, UnboundReason.CHANGED);
      return;
    }
    name.askedNanos = began;
    boolean same = name.current != null && name.current.isSame(binding);
    if (!same) {
      retire(name);
      name.current = binding;
      binding.use();
      name.registry.hold(binding);
    }
    name.registry.acknowledge(message);
    if (name.current == null) { // refused at once: who holds another binding has been told
      answerAll(name, number -> Unbound.answer(number, UnboundReason.NOT_CACHEABLE, ""));
      dropIfUnneeded(name);
      return;
    }
    List<WatchedName.Ask> asks = List.copyOf(name.asks);
    name.asks.clear();
    for (WatchedName.Ask ask : asks) {
      tell(name, ask.subscription(), ask.number());
    }
    if (!same) {
      for (Subscription holder : List.copyOf(name.holders)) {
        if (asks.stream().noneMatch(ask -> ask.subscription() == holder)) {
          tell(name, holder, 0);
        }
      }
    }
    dropIfUnneeded(name);
  }

  private void failed(WatchedName name, int version, InsideFailure failure) {
    if (!isGood(name, version)) {
      return;
    }
    LOG.debug("{}/{}: not looked up: {}", name.registry.target(), name.name, failure.text());
    answerAll(
        name,
        number ->
            failure
                .refusal()
                .map(reason -> Unbound.answer(number, UnboundReason.of(reason), failure.text()))
                .orElseGet(() -> Unbound.answer(number, UnboundReason.NOT_CACHEABLE, "")));
    if (failure.kind() == InsideFailure.Kind.OVERLOADED && mayWait(name)) {
      // It has not been asked, which says nothing of what it would have answered.
      long again = Math.min(ASK_AGAIN_NANOS, settings.get().poll().toNanos());
      name.pollNanos = clock.getAsLong() + again;
      dropIfUnneeded(name);
      return;
    }
    voidAll(name, UnboundReason.GONE);
  }

  /** What has not been confirmed for too long is not to be believed, whatever the reason. */
  private boolean mayWait(WatchedName name) {
    long unconfirmed = clock.getAsLong() - name.askedNanos - settings.get().poll().toNanos();
    return unconfirmed < MAX_UNCONFIRMED_NANOS;
  }

  private void answerAll(WatchedName name, Function<Long, Unbound> answer) {
    for (WatchedName.Ask ask : name.asks) {
      ask.subscription().voided();
      name.holders.remove(ask.subscription());
      if (ask.number() != 0) { // else nobody waits for it
        queue(ask.subscription(), answer.apply(ask.number()));
      }
    }
    name.asks.clear();
  }

  private void voidAll(WatchedName name, UnboundReason reason) {
    retire(name);
    for (Subscription holder : List.copyOf(name.holders)) {
      push(name, holder, reason);
    }
    dropIfUnneeded(name);
  }

  private void push(WatchedName name, Subscription holder, UnboundReason reason) {
    name.holders.remove(holder);
    holder.voided();
    queue(holder, Unbound.push(holder.name(), reason));
    meters.bindingPushed();
  }

  private void tell(WatchedName name, Subscription to, long number) {
    WatchedBinding binding = name.current;
    if (number == 0 && !to.holder().maySee(to)) {
      push(name, to, UnboundReason.GONE);
      return;
    }
    long named = to.holder().nextBinding(to);
    to.tell(named, binding);
    binding.use();
    name.holders.add(to);
    to.holder().learn(to, binding.references());
    Optional<RegistryName> pushed = number == 0 ? Optional.of(to.name()) : Optional.empty();
    queue(to, new Bound(number, named, pushed, binding.message()));
    if (number == 0) {
      meters.bindingPushed();
    }
  }

  private void queue(Subscription to, Frame frame) {
    to.holder().queue(frame);
    touched.add(to.holder());
  }

  /** What the name is bound to is not known any more. */
  private void retire(WatchedName name) {
    WatchedBinding binding = name.current;
    if (binding != null) {
      name.current = null;
      binding.retire(clock.getAsLong());
      retired.put(binding, name.registry);
      release(name.registry, binding);
    }
  }

  private void release(WatchedRegistry registry, WatchedBinding binding) {
    if (binding.release()) {
      drop(registry, binding);
    }
  }

  private void drop(WatchedRegistry registry, WatchedBinding binding) {
    if (retired.remove(binding) != null) {
      registry.release(binding);
      endIfUnneeded(registry);
    }
  }

  /** The server has granted a lease on what is bound, or has not. */
  private void onLeased(Target target, Leased answer) {
    change(
        () -> {
          WatchedRegistry registry = registries.get(target);
          if (registry == null) {
            return;
          }
          Optional<WatchedBinding.Held> object = registry.answered(answer.number());
          if (object.isEmpty() || answer.outcome() == Leased.Outcome.HELD) {
            return;
          }
          for (WatchedName name : List.copyOf(registry.names().values())) {
            if (name.current != null && name.current.needs(object.get())) {
              LOG.debug("{}/{}: no lease: {}", target, name.name, answer.text());
              voidAll(name, UnboundReason.CHANGED);
            }
          }
        });
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

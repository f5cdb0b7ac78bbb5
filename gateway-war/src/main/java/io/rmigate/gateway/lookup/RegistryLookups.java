package io.rmigate.gateway.lookup;

import io.rmigate.gateway.policy.WholeReply;
import io.rmigate.gateway.relay.address.Target;
import io.rmigate.gateway.relay.own.OwnCallFailure;
import io.rmigate.gateway.relay.own.OwnCallListener;
import io.rmigate.gateway.relay.own.OwnCalls;
import io.rmigate.protocol.jrmp.message.RegistryCall;
import io.rmigate.protocol.jrmp.message.ReturnHeader;
import io.rmigate.protocol.tunnel.Bound;
import io.rmigate.protocol.tunnel.Unbound;
import io.rmigate.protocol.tunnel.UnboundReason;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks names up in registries, and hands each result to the sessions that wait for it or hold an
 * earlier one. Guarded by the lock of {@link RegistryWatch}; replies are judged before it is taken.
 */
final class RegistryLookups {
  private static final Logger LOG = LoggerFactory.getLogger(RegistryWatch.class);

  /** Pause before a registry for which too many calls wait is asked again. */
  private static final long ASK_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How long after its interval an unconfirmed binding is void. */
  private static final long MAX_UNCONFIRMED_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** Time for a lookup after the time for the connect; then the agent asks the registry itself. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final WatchLock guard;
  private final WatchedNames names;
  private final SubscriptionTable table;
  private final BindingNotifier notifier;
  private final Supplier<LookupSettings> settings;
  private final OwnCalls calls;
  private final LookupMeters meters;

  RegistryLookups(
      WatchLock guard,
      WatchedNames names,
      SubscriptionTable table,
      BindingNotifier notifier,
      Supplier<LookupSettings> settings,
      OwnCalls calls,
      LookupMeters meters) {
    this.guard = guard;
    this.names = names;
    this.table = table;
    this.notifier = notifier;
    this.settings = settings;
    this.calls = calls;
    this.meters = meters;
  }

  /** The session that the lookup counts for; this object when no session asks or holds. */
  private Object payer(WatchedName name) {
    return Stream.concat(
            name.inquiry().waiting().stream().map(PendingLookups.Request::subscription),
            name.holders().stream())
        .findFirst()
        .map(first -> first.holder().payer())
        .orElse(this);
  }

  /** Asks the registry for a name that no lookup is in progress for. Under the lock. */
  void begin(WatchedName name) {
    name.inquiry().begin(names.now(), settings.get().poll().toNanos());
    Target target = name.registry().target();
    meters.registryAsked();
    calls.call(
        this,
        payer(name),
        target,
        RegistryCall.lookup(name.name()),
        OwnCalls.Result.OBJECT,
        target.connectTimeout().plus(PATIENCE),
        new OwnCallListener() {
          @Override
          public void onReturn(byte[] message) {
            WatchedBinding told = new WatchedBinding(new WholeReply(message));
            guard.judgeAhead(() -> PendingVerdict.concerned(name, told));
            guard.change(() -> ended(name, () -> returned(name, told), message));
          }

          @Override
          public void onFailure(OwnCallFailure failure) {
            guard.change(() -> ended(name, () -> failed(name, failure), new byte[0]));
          }
        });
  }

  /**
   * A lookup has ended.
   *
   * @param then run if the result counts
   * @param message to acknowledge if the result does not count
   */
  private void ended(WatchedName name, Runnable then, byte[] message) {
    if (name.inquiry().end() || !name.isNeeded()) {
      then.run();
    } else {
      name.registry().acknowledge(message); // its references are sent to no agent
      if (name.inquiry().isHopeless()) {
        LOG.debug("{}: changes faster than it can be looked up", name);
        notifier.answerAll(name, BindingNotifier::leftToRegistry);
        notifier.voidAll(name, UnboundReason.CHANGED);
      } else {
        begin(name);
      }
    }
    if (!name.inquiry().isUnderWay() && name.inquiry().isWanted()) {
      begin(name);
    } else {
      names.dropIfUnneeded(name);
    }
  }

  private void returned(WatchedName name, WatchedBinding binding) {
    byte[] message = binding.message();
    ReturnHeader header = ReturnHeader.decode(message, 0, message.length).orElseThrow();
    if (header.exceptional()) {
      notifier.answerAll(
          name,
          ask ->
              message.length <= Bound.MAX_MESSAGE_BYTES
                  ? BindingNotifier.thrown(ask, binding.reply())
                  : BindingNotifier.leftToRegistry(ask));
      notifier.voidAll(name, UnboundReason.GONE);
      return;
    }
    if (!binding.isCacheable()) {
      name.registry().acknowledge(message);
      notifier.answerAll(name, BindingNotifier::leftToRegistry);
      notifier.voidAll(name, UnboundReason.CHANGED);
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
    if (name.knowledge().binding() == null) { // refused at once; its holders have been told
      notifier.answerAll(name, BindingNotifier::leftToRegistry);
      return;
    }
    Set<Subscription> answered = new LinkedHashSet<>();
    for (PendingLookups.Request ask : name.inquiry().take()) {
      answered.add(ask.subscription());
      notifier.tell(name, ask.subscription(), ask.number());
      table.tidy(ask.subscription());
    }
    if (!same) {
      for (Subscription holder : List.copyOf(name.holders())) {
        if (!answered.contains(holder)) {
          notifier.tell(name, holder, 0);
          table.tidy(holder);
        }
      }
    }
  }

  private static void learn(WatchedName name, WatchedBinding binding) {
    PendingLookups inquiry = name.inquiry();
    name.knowledge().learn(binding, inquiry.number(), inquiry.beganNanos());
  }

  private void failed(WatchedName name, OwnCallFailure failure) {
    LOG.debug("{}: not looked up: {}", name, failure.text());
    notifier.answerAll(
        name,
        ask ->
            failure
                .refusal()
                .map(
                    reason ->
                        Unbound.answer(ask.number(), UnboundReason.of(reason), failure.text()))
                .orElseGet(() -> BindingNotifier.leftToRegistry(ask)));
    if (failure.kind() == OwnCallFailure.Kind.OVERLOADED && mayWait(name)) {
      // The registry was not asked, so the binding may still hold.
      name.inquiry()
          .dueBy(names.now() + Math.min(ASK_AGAIN_NANOS, settings.get().poll().toNanos()));
    } else {
      notifier.voidAll(name, UnboundReason.GONE);
    }
  }

  /** Whether a binding that could not be confirmed now may still be used. */
  private boolean mayWait(WatchedName name) {
    long unconfirmed = name.knowledge().ageNanos(names.now()) - settings.get().poll().toNanos();
    return unconfirmed < MAX_UNCONFIRMED_NANOS;
  }
}

package io.rmigate.gateway.lookup;

import io.rmigate.gateway.policy.WholeReply;
import io.rmigate.protocol.tunnel.Bound;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.RegistryName;
import io.rmigate.protocol.tunnel.Unbound;
import io.rmigate.protocol.tunnel.UnboundReason;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Tells agents what names are bound to, as answers to their LOOKUPs and as pushes. Guarded by the
 * lock of {@link RegistryWatch}: frames are queued here, and the links are flushed outside it.
 */
final class BindingNotifier {
  private final WatchedNames names;
  private final SubscriptionTable table;
  private final LookupMeters meters;

  /** Sessions with queued frames. */
  private final Set<BindingHolder> queued = new LinkedHashSet<>();

  BindingNotifier(WatchedNames names, SubscriptionTable table, LookupMeters meters) {
    this.names = names;
    this.table = table;
    this.meters = meters;
  }

  /** The sessions with frames queued since the last call. */
  List<BindingHolder> takeToFlush() {
    List<BindingHolder> toFlush = List.copyOf(queued);
    queued.clear();
    return toFlush;
  }

  /** Queues a frame for a session. */
  void queue(BindingHolder to, Frame frame) {
    to.queue(frame);
    queued.add(to);
  }

  /**
   * Sends an agent the binding of a name.
   *
   * @param number of the LOOKUP that this answers; 0 for a push
   */
  void tell(WatchedName name, Subscription to, long number) {
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

  /** Tells an agent that its binding of a name is void. */
  void push(WatchedName name, Subscription holder, UnboundReason reason) {
    name.holders().remove(holder);
    holder.voided();
    queue(holder.holder(), Unbound.push(holder.name(), reason));
    meters.bindingPushed();
  }

  /** Tells all holders of a name that its binding is void. */
  void voidAll(WatchedName name, UnboundReason reason) {
    names.retire(name);
    for (Subscription holder : List.copyOf(name.holders())) {
      push(name, holder, reason);
      table.tidy(holder);
    }
    names.dropIfUnneeded(name);
  }

  /** Answers all LOOKUPs that have waited for the lookup that has ended. */
  void answerAll(WatchedName name, Function<PendingLookups.Request, Unbound> answer) {
    for (PendingLookups.Request ask : name.inquiry().take()) {
      ask.subscription().voided();
      name.holders().remove(ask.subscription());
      if (ask.number() != 0) { // 0: a preload, which gets no answer
        queue(ask.subscription().holder(), answer.apply(ask));
      }
      table.tidy(ask.subscription());
    }
  }

  /** Tells an agent to call the registry itself. */
  void leaveToRegistry(PendingLookups.Request ask) {
    if (ask.number() != 0) {
      queue(ask.subscription().holder(), leftToRegistry(ask));
    }
  }

  /** The answer with which the agent calls the registry itself. */
  static Unbound leftToRegistry(PendingLookups.Request ask) {
    return Unbound.answer(ask.number(), UnboundReason.NOT_CACHEABLE, "");
  }

  /** The answer for an exception of the registry; without the exception if it is refused. */
  static Unbound thrown(PendingLookups.Request ask, WholeReply reply) {
    return refusal(ask.subscription(), reply)
        .map(text -> Unbound.answer(ask.number(), UnboundReason.OPERATION_NOT_PERMITTED, text))
        .orElseGet(() -> Unbound.notBound(ask.number(), message(ask.subscription(), reply)));
  }

  /** The text that a session is told in place of a refused reply; empty when it is permitted. */
  static Optional<String> refusal(Subscription to, WholeReply reply) {
    return to.holder().refusal(to.name(), to.registry(), reply);
  }

  private static byte[] message(Subscription to, WholeReply reply) {
    return to.holder().message(to.name(), to.registry(), reply);
  }
}

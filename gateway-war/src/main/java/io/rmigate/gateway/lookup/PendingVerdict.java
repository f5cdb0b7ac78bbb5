package io.rmigate.gateway.lookup;

import io.rmigate.gateway.policy.WholeReply;
import io.rmigate.gateway.relay.address.Target;
import io.rmigate.protocol.tunnel.Bound;
import io.rmigate.protocol.tunnel.RegistryName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A reply that a session may be sent, to be judged by the rules of that session. Verdicts are
 * collected under the lock of {@link RegistryWatch} and judged outside it, because that takes time.
 */
record PendingVerdict(BindingHolder holder, RegistryName name, Target registry, WholeReply reply) {
  PendingVerdict(Subscription subscription, WholeReply reply) {
    this(subscription.holder(), subscription.name(), subscription.registry(), reply);
  }

  /** Judges the reply; the session keeps the verdict. Without locks. */
  void judge() {
    holder.judge(name, registry, reply);
  }

  /** For a session that asks for names: the known bindings of these. */
  static List<PendingVerdict> known(
      WatchedNames names, Subscriptions session, Map<RegistryName, Target> wanted) {
    List<PendingVerdict> known = new ArrayList<>();
    wanted.forEach(
        (name, registry) ->
            names
                .registry(registry)
                .map(watched -> watched.names().get(name.name()))
                .map(watched -> watched.knowledge().binding())
                .ifPresent(
                    binding ->
                        known.add(
                            new PendingVerdict(
                                session.holder(), name, registry, binding.reply()))));
    return known;
  }

  /** For sessions that a new reply is sent to: those that wait, and holders if it differs. */
  static List<PendingVerdict> concerned(WatchedName name, WatchedBinding told) {
    if (told.message().length > Bound.MAX_MESSAGE_BYTES) {
      return List.of(); // it is sent to no session
    }
    boolean same = name.knowledge().is(told);
    WholeReply reply = (same ? name.knowledge().binding() : told).reply();
    List<PendingVerdict> concerned = new ArrayList<>();
    name.inquiry()
        .waiting()
        .forEach(ask -> concerned.add(new PendingVerdict(ask.subscription(), reply)));
    if (!same) {
      name.holders().forEach(holder -> concerned.add(new PendingVerdict(holder, reply)));
    }
    return concerned;
  }
}

package io.rmigate.gateway.session;

import io.rmigate.gateway.lookup.BindingHolder;
import io.rmigate.gateway.lookup.RegistryWatch;
import io.rmigate.gateway.lookup.Subscription;
import io.rmigate.gateway.relay.Target;
import io.rmigate.protocol.jrmp.LiveReference;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.RegistryOperation;
import io.rmigate.protocol.tunnel.Bound;
import io.rmigate.protocol.tunnel.Forgot;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.Lookup;
import io.rmigate.protocol.tunnel.RegistryName;
import io.rmigate.protocol.tunnel.Unbound;
import io.rmigate.protocol.tunnel.UnboundReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What one session's agent looks up and holds. A lookup is permitted here exactly as over a stream.
 *
 * <p>Threads: frames come from the edge; the watch calls back from anywhere. {@code lock} guards
 * the subscriptions; it is taken under the watch's.
 */
final class SessionLookups implements BindingHolder {
  private static final int MAX_NAMES = 2048;

  private final TunnelSession session;
  private final RegistryWatch watch;
  private final AtomicLong bindings = new AtomicLong();

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<RegistryName, Subscription> byName = new HashMap<>();
  private final Map<Long, Subscription> byBinding = new HashMap<>();
  private boolean over;

  /** What is to be sent once the welcome has been; null from then on. */
  private List<Frame> untilWelcome = new ArrayList<>();

  SessionLookups(TunnelSession session, RegistryWatch watch) {
    this.session = session;
    this.watch = watch;
  }

  /**
   * What the agent is going to look up, by its own words and by the configuration. What is
   * permitted and known goes out behind the welcome.
   *
   * @return how many bindings that are
   */
  int preload(List<RegistryName> names) {
    List<Subscription> wanted = new ArrayList<>();
    for (RegistryName name : names) {
      if (route(name) instanceof Route.Inside inside
          && inside.permission().registry().contains(RegistryOperation.LOOKUP)) {
        subscription(name, target(inside)).ifPresent(wanted::add);
      }
    }
    watch.preload(wanted);
    lock.lock();
    try {
      return (int) untilWelcome.stream().filter(Bound.class::isInstance).count();
    } finally {
      lock.unlock();
    }
  }

  /** The welcome has been sent: what has been told meanwhile may follow. */
  void onWelcomed() {
    lock.lock();
    try {
      untilWelcome.forEach(session.outbound()::add);
      untilWelcome = null;
    } finally {
      lock.unlock();
    }
  }

  void onLookup(Lookup lookup) {
    if (session.loginExpired()) {
      session.meters().refused("login-expired");
      refuse(lookup, UnboundReason.TARGET_NOT_PERMITTED, "rmigate: " + TunnelSession.LOGIN_EXPIRED);
      return;
    }
    Route route = route(lookup.name());
    String target = lookup.name().registry().toString();
    if (route instanceof Route.Ambiguous) {
      refuse(lookup, UnboundReason.CONNECT_FAILED, "rmigate: which server is meant is not known");
    } else if (!(route instanceof Route.Inside inside)) {
      session.meters().refused("target");
      refuse(
          lookup,
          UnboundReason.TARGET_NOT_PERMITTED,
          "rmigate: " + target + " is not permitted by the gateway's policy");
    } else if (!inside.permission().registry().contains(RegistryOperation.LOOKUP)) {
      session.meters().refused("registry-operation");
      refuse(
          lookup,
          UnboundReason.OPERATION_NOT_PERMITTED,
          "rmigate: this registry operation is not permitted by the gateway's policy");
    } else {
      Optional<Subscription> subscription = subscription(lookup.name(), target(inside));
      if (subscription.isEmpty()) {
        refuse(lookup, UnboundReason.NOT_CACHEABLE, "");
      } else {
        session.countCall();
        watch.ask(subscription.get(), lookup.number(), lookup.fresh());
      }
    }
  }

  private void refuse(Lookup lookup, UnboundReason reason, String text) {
    queue(Unbound.answer(lookup.number(), reason, text));
    flush();
  }

  private Route route(RegistryName name) {
    return session
        .routes()
        .route(
            session.policy(),
            name.registry().host(),
            name.registry().port(),
            () -> Optional.of(ObjIdentifier.REGISTRY));
  }

  private Target target(Route.Inside route) {
    return session.target(route, Duration.ZERO, Duration.ZERO);
  }

  private Optional<Subscription> subscription(RegistryName name, Target registry) {
    Subscription made = new Subscription(this, name, registry);
    Subscription replaced;
    lock.lock();
    try {
      Subscription known = byName.get(name);
      if (known != null && known.registry().equals(registry)) {
        return Optional.of(known);
      }
      if (over || byName.size() >= MAX_NAMES) {
        return Optional.empty();
      }
      replaced = byName.put(name, made);
    } finally {
      lock.unlock();
    }
    if (replaced != null) {
      watch.end(List.of(replaced)); // policy sends the name elsewhere now
    }
    return Optional.of(made);
  }

  void onForgot(Forgot forgot) {
    Subscription subscription;
    lock.lock();
    try {
      subscription = byBinding.remove(forgot.binding());
    } finally {
      lock.unlock();
    }
    if (subscription != null) {
      session.behindDirties(() -> watch.forgot(subscription, forgot.binding()));
    }
  }

  /** The session has ended. */
  void end() {
    List<Subscription> all;
    lock.lock();
    try {
      over = true;
      all = List.copyOf(byName.values());
      byName.clear();
      byBinding.clear();
    } finally {
      lock.unlock();
    }
    session.behindDirties(() -> watch.end(all));
  }

  // For the watch, under its lock.

  @Override
  public boolean maySee(Subscription subscription) {
    return !session.loginExpired()
        && route(subscription.name()) instanceof Route.Inside inside
        && inside.permission().registry().contains(RegistryOperation.LOOKUP)
        && target(inside).equals(subscription.registry());
  }

  @Override
  public void learn(Subscription subscription, List<LiveReference> references) {
    Target registry = subscription.registry();
    RegistryPlace place = new RegistryPlace(registry.host(), registry.addresses());
    references.forEach(reference -> session.learn(reference, place));
  }

  @Override
  public long nextBinding(Subscription subscription) {
    long number = bindings.incrementAndGet();
    lock.lock();
    try {
      byBinding.put(number, subscription);
    } finally {
      lock.unlock();
    }
    return number;
  }

  @Override
  public void queue(Frame frame) {
    lock.lock();
    try {
      if (untilWelcome == null) {
        session.outbound().add(frame);
      } else {
        untilWelcome.add(frame);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void flush() {
    session.outbound().flush();
  }
}

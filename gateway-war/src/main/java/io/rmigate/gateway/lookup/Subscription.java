package io.rmigate.gateway.lookup;

import io.rmigate.gateway.relay.address.Target;
import io.rmigate.protocol.tunnel.RegistryName;
import java.util.HashMap;
import java.util.Map;

/**
 * One name that one session holds, waits for, or has not forgotten yet. Guarded by the lock of
 * {@link RegistryWatch}.
 */
final class Subscription {
  private final Subscriptions session;
  private final RegistryName name;
  private final Target registry;

  /** Bindings sent to the agent, by number, until it reports that it has forgotten them. */
  private final Map<Long, WatchedBinding> told = new HashMap<>();

  /** The number of the binding that the agent answers with; 0 when there is none. */
  private long latest;

  /** LOOKUPs that wait for an answer. */
  private int asks;

  /**
   * @param name as the agent names it
   * @param registry where that is
   */
  Subscription(Subscriptions session, RegistryName name, Target registry) {
    this.session = session;
    this.name = name;
    this.registry = registry;
  }

  Subscriptions session() {
    return session;
  }

  BindingHolder holder() {
    return session.holder();
  }

  RegistryName name() {
    return name;
  }

  Target registry() {
    return registry;
  }

  WatchedKey key() {
    return new WatchedKey(registry, name.name());
  }

  long latest() {
    return latest;
  }

  void tell(long number, WatchedBinding binding) {
    latest = number;
    told.put(number, binding);
  }

  /** The agent holds no binding any more. */
  void voided() {
    latest = 0;
  }

  /** The binding that the agent has forgotten; null when it did not hold it. */
  WatchedBinding forgot(long number) {
    if (number == latest) {
      latest = 0;
    }
    return told.remove(number);
  }

  Map<Long, WatchedBinding> told() {
    return told;
  }

  /** The number of waiting LOOKUPs changes. */
  void asks(int change) {
    asks += change;
    session.asks(change);
  }

  /** Whether the agent neither holds anything of this name nor waits for it. */
  boolean isIdle() {
    return latest == 0 && asks == 0 && told.isEmpty();
  }
}

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

  /** What the agent has been told, by number, until it says that it is forgotten. */
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

  /** The agent answers with nothing any more. */
  void voided() {
    latest = 0;
  }

  /** What the agent has forgotten; null when it did not hold it. */
  WatchedBinding forgot(long number) {
    if (number == latest) {
      latest = 0;
    }
    return told.remove(number);
  }

  Map<Long, WatchedBinding> told() {
    return told;
  }

  /** So many LOOKUPs more, or fewer, wait. */
  void asks(int change) {
    asks += change;
    session.asks(change);
  }

  /** Whether the agent neither holds anything of this name nor waits for it. */
  boolean isIdle() {
    return latest == 0 && asks == 0 && told.isEmpty();
  }
}

package io.rmigate.gateway.lookup;

import io.rmigate.gateway.relay.Target;
import io.rmigate.protocol.tunnel.RegistryName;
import java.util.HashMap;
import java.util.Map;

/** One name that one session holds, or waits for. Guarded by the lock of {@link RegistryWatch}. */
public final class Subscription {
  private final BindingHolder holder;
  private final RegistryName name;
  private final Target registry;

  /** What the agent has been told, by number, until it says that it is forgotten. */
  private final Map<Long, WatchedBinding> told = new HashMap<>();

  /** The number of the binding that the agent answers with; 0 when there is none. */
  private long latest;

  private boolean ended;

  /**
   * @param name as the agent names it
   * @param registry where that is
   */
  public Subscription(BindingHolder holder, RegistryName name, Target registry) {
    this.holder = holder;
    this.name = name;
    this.registry = registry;
  }

  BindingHolder holder() {
    return holder;
  }

  /** As the agent names it. */
  public RegistryName name() {
    return name;
  }

  /** Where the registry is. */
  public Target registry() {
    return registry;
  }

  /** Nobody is told of anything any more. */
  void end() {
    ended = true;
  }

  boolean hasEnded() {
    return ended;
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
}

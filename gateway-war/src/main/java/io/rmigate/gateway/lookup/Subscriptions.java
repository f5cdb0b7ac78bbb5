package io.rmigate.gateway.lookup;

import io.rmigate.protocol.tunnel.RegistryName;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * All names that one session holds or waits for. All that an agent can make grow is bounded: beyond
 * a bound it is told {@code NOT_CACHEABLE} and calls its registries. Guarded by the lock of {@link
 * RegistryWatch}; sessions only hand it around.
 */
public final class Subscriptions {
  /** More than an agent holds. */
  static final int MAX_NAMES = 2048;

  /** Bindings that have not been forgotten; more than an agent remembers. */
  static final int MAX_TOLD = 8192;

  /** LOOKUPs without an answer: an agent has as many as it has threads. */
  static final int MAX_ASKS = 4096;

  private final BindingHolder holder;
  private final Map<RegistryName, Subscription> byName = new HashMap<>();

  /** By the number of a binding of which no FORGOT has come. */
  private final Map<Long, Subscription> byBinding = new HashMap<>();

  private long lastBinding;
  private int told;
  private int asks;
  private Object view;
  private boolean over;

  /** None yet. */
  public Subscriptions(BindingHolder holder) {
    this.holder = holder;
  }

  BindingHolder holder() {
    return holder;
  }

  Subscription get(RegistryName name) {
    return byName.get(name);
  }

  void add(Subscription added) {
    byName.put(added.name(), added);
  }

  void remove(Subscription idle) {
    byName.remove(idle.name(), idle);
  }

  List<Subscription> all() {
    return List.copyOf(byName.values());
  }

  boolean isEmpty() {
    return byName.isEmpty();
  }

  boolean mayAddName() {
    return !over && byName.size() < MAX_NAMES;
  }

  boolean mayAsk() {
    return asks < MAX_ASKS;
  }

  boolean mayBeTold() {
    return told < MAX_TOLD;
  }

  void asks(int change) {
    asks += change;
  }

  /** The agent is told of a binding; the number by which it knows it from here on. */
  long tell(Subscription subscription, WatchedBinding binding) {
    lastBinding++;
    told++;
    subscription.tell(lastBinding, binding);
    byBinding.put(lastBinding, subscription);
    return lastBinding;
  }

  /** The agent forgets a binding; null when it did not hold it, or has said so before. */
  Subscription forgetting(long binding) {
    return byBinding.remove(binding);
  }

  /** The agent has forgotten bindings. */
  void forgot(int bindings) {
    told -= bindings;
  }

  /** No FORGOT is expected any more. */
  void forgetAll(Collection<Long> bindings) {
    byBinding.keySet().removeAll(bindings);
  }

  /** The result of {@link #sees}, without a change of state. */
  boolean hasSeenOther(Object now) {
    return !now.equals(view);
  }

  /** Whether what the session may see may have changed since this was asked last. */
  boolean sees(Object now) {
    boolean other = hasSeenOther(now);
    view = now;
    return other;
  }

  void end() {
    over = true;
  }

  boolean isOver() {
    return over;
  }
}

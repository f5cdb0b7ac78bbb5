package io.rmigate.client.mediator;

import io.rmigate.protocol.tunnel.RegistryName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The state of the lookups on one link: bindings by name, lookups that wait for the gateway, and
 * names that the gateway does not watch. Ends with its link, because its gateway watches the names
 * no longer.
 *
 * <p>Guarded by the lock of {@link Lookups}. Methods that end bindings return them, so that the
 * caller tells the gateway.
 */
final class LinkBindings {
  static final int MAX_BINDINGS = 1024;
  static final int MAX_BYTES = 4 * 1024 * 1024;
  private static final int MAX_UNCACHEABLE = 1024;

  /**
   * The time for which lookups of a name go to its registry, after the gateway has said that it
   * does not watch the name.
   */
  private static final long UNCACHEABLE_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** Held bindings in the order of their use; the most recently used is the last. */
  private final LinkedHashMap<RegistryName, HeldBinding> held =
      new LinkedHashMap<>(16, 0.75f, true);

  private final Map<Long, LookupCall.Attempt> asked = new HashMap<>();

  /** Names that are not held, with the time until which that is so. */
  private final Map<RegistryName, Long> uncacheable =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<RegistryName, Long> eldest) {
          return size() > MAX_UNCACHEABLE;
        }
      };

  private int bytes;
  private long lastNumber;

  /** The held binding of the name; null when there is none. */
  HeldBinding get(RegistryName name) {
    return held.get(name);
  }

  int size() {
    return held.size();
  }

  /** Registers a question. */
  long ask(LookupCall.Attempt attempt) {
    lastNumber++;
    asked.put(lastNumber, attempt);
    return lastNumber;
  }

  /** The question with this number, which is answered now; null when there is none. */
  LookupCall.Attempt answered(long number) {
    return asked.remove(number);
  }

  boolean isUncacheable(RegistryName name, long now) {
    Long until = uncacheable.get(name);
    return until != null && until - now > 0;
  }

  void uncacheable(RegistryName name, long now) {
    uncacheable.put(name, now + UNCACHEABLE_NANOS);
  }

  /** Holds a binding; returns the bindings that were evicted for it. */
  List<HeldBinding> hold(HeldBinding binding) {
    List<HeldBinding> ended = new ArrayList<>(1);
    uncacheable.remove(binding.name());
    end(held.remove(binding.name()), ended);
    held.put(binding.name(), binding);
    bytes += binding.weight();
    Iterator<HeldBinding> eldest = held.values().iterator();
    while ((held.size() > MAX_BINDINGS || bytes > MAX_BYTES) && eldest.hasNext()) {
      HeldBinding giving = eldest.next();
      eldest.remove();
      end(giving, ended);
    }
    return ended;
  }

  /** Drops the binding of the name, and returns it; empty when none was held. */
  List<HeldBinding> drop(RegistryName name) {
    List<HeldBinding> ended = new ArrayList<>(1);
    end(held.remove(name), ended);
    return ended;
  }

  /**
   * Drops bindings that have proved wrong. Answers to questions from before now may be wrong too.
   *
   * @return the bindings that were held
   */
  List<HeldBinding> distrust(BindingInvalidation distrust) {
    List<HeldBinding> ended = new ArrayList<>();
    for (Iterator<HeldBinding> all = held.values().iterator(); all.hasNext(); ) {
      HeldBinding binding = all.next();
      if (distrust.concerns(binding)) {
        all.remove();
        end(binding, ended);
      }
    }
    asked.values().forEach(attempt -> attempt.distrust(distrust));
    return ended;
  }

  private void end(HeldBinding binding, List<HeldBinding> ended) {
    if (binding != null) {
      bytes -= binding.weight();
      ended.add(binding);
    }
  }

  /**
   * Drops all bindings and all open questions.
   *
   * @return the attempts that get no answer
   */
  List<LookupCall.Attempt> clear() {
    List<LookupCall.Attempt> unanswered = List.copyOf(asked.values());
    held.clear();
    asked.clear();
    bytes = 0;
    return unanswered;
  }
}

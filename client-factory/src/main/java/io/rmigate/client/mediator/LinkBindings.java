package io.rmigate.client.mediator;

import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.tunnel.RegistryName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * What is held on one link: bindings by name, lookups that wait for the gateway, and names about
 * which something is to be remembered. Ends with its link, since nobody watches any more.
 *
 * <p>Guarded by the lock of {@link Lookups}. Whoever ends bindings here gets them back, to tell the
 * gateway.
 */
final class LinkBindings {
  static final int MAX_BINDINGS = 1024;
  static final int MAX_BYTES = 4 * 1024 * 1024;
  private static final int MAX_REMEMBERED = 1024;

  /** For so long a name is left to its registry that the gateway has said not to watch. */
  private static final long UNCACHEABLE_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** The one used last is the last. */
  private final LinkedHashMap<RegistryName, HeldBinding> held =
      new LinkedHashMap<>(16, 0.75f, true);

  private final Map<Long, LookupCall.Attempt> asked = new HashMap<>();

  /** Names of which something was held that turned out to be wrong. */
  private final Map<RegistryName, Boolean> stale = remembered();

  /** Names that are not held, until when. */
  private final Map<RegistryName, Long> uncacheable = remembered();

  private int bytes;
  private long lastNumber;

  private static <V> Map<RegistryName, V> remembered() {
    return new LinkedHashMap<>() {
      private static final long serialVersionUID = 1L;

      @Override
      protected boolean removeEldestEntry(Map.Entry<RegistryName, V> eldest) {
        return size() > MAX_REMEMBERED;
      }
    };
  }

  /** What the name is bound to; null when that is not known. */
  HeldBinding get(RegistryName name) {
    return held.get(name);
  }

  int size() {
    return held.size();
  }

  /** Registers a question; whether it has to be asked anew is part of it. */
  long ask(LookupCall.Attempt attempt) {
    lastNumber++;
    asked.put(lastNumber, attempt);
    return lastNumber;
  }

  boolean isStale(RegistryName name) {
    return stale.remove(name) != null;
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

  /** Holds a binding from here on; those that had to give way. */
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

  /** What is held of the name is void; empty when nothing was. */
  List<HeldBinding> drop(RegistryName name) {
    List<HeldBinding> ended = new ArrayList<>(1);
    end(held.remove(name), ended);
    return ended;
  }

  /**
   * What these names were bound to is wrong, and so is, perhaps, what has been asked before now.
   */
  List<HeldBinding> distrust(Predicate<HeldBinding> which, Predicate<RegistryName> asking) {
    List<HeldBinding> ended = new ArrayList<>();
    for (Iterator<HeldBinding> all = held.values().iterator(); all.hasNext(); ) {
      HeldBinding binding = all.next();
      if (which.test(binding)) {
        all.remove();
        end(binding, ended);
        stale.put(binding.name(), true);
      }
    }
    for (LookupCall.Attempt attempt : asked.values()) {
      if (asking.test(attempt.name())) {
        attempt.doNotHold();
      }
    }
    return ended;
  }

  /** All that is held of a registry is void. */
  List<HeldBinding> dropRegistry(EndpointId registry) {
    return distrust(
        binding -> binding.name().registry().equals(registry),
        name -> name.registry().equals(registry));
  }

  private void end(HeldBinding binding, List<HeldBinding> ended) {
    if (binding != null) {
      bytes -= binding.weight();
      ended.add(binding);
    }
  }

  /** Nothing is held any more, and nobody is answered. */
  void clear() {
    held.clear();
    asked.clear();
    bytes = 0;
  }
}

package io.rmigate.gateway.limit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A caller that sends what is hostile is let do nothing for a while, in none of its sessions. What
 * counts is how many different hostile things it was refused. A thing that is refused because a
 * rule is missing may be an honest program's, like a stale object: of these many more count.
 *
 * <p>Bounded: of callers the latest are kept, of each no more things than it may be refused.
 * Thread-safe.
 */
public final class Lockouts {
  private static final Logger LOG = LoggerFactory.getLogger(Lockouts.class);
  private static final int MAX_CALLERS = 10_000;

  /** Of one caller. */
  private static final int MAX_KNOWN_TARGETS = 100;

  /** Of which what honest ones may try many of is kept. */
  private static final int MAX_MANIFOLD_CALLERS = 200;

  /** So many times as many of these lock somebody out, as far as that is no more than... */
  private static final int MANIFOLD_FACTOR = 50;

  /** ...so many. */
  private static final int MAX_MANIFOLD = 10_000;

  private static final String MANIFOLD = " objects, references, targets and missing rules";

  private final LockoutSettings settings;
  private final Cache<Caller, Set<String>> refused;
  private final Cache<Caller, Set<String>> manifold;
  private final Cache<Caller, LockoutView> locked;

  /** By caller: targets of which it has called a method that the jars of interfaces have. */
  private final Cache<Caller, Set<String>> known =
      Caffeine.newBuilder().maximumSize(MAX_CALLERS).build();

  /** Whether it is worth asking who is locked out: most gateways never see anybody. */
  private volatile boolean anybody;

  public Lockouts(LockoutSettings settings, Ticker ticker) {
    this.settings = settings;
    this.refused =
        Caffeine.newBuilder()
            .ticker(ticker)
            .expireAfterWrite(settings.within()) // the first one begins it
            .maximumSize(MAX_CALLERS)
            .build();
    this.manifold =
        Caffeine.newBuilder()
            .ticker(ticker)
            .expireAfterWrite(settings.within())
            .maximumSize(MAX_MANIFOLD_CALLERS)
            .build();
    this.locked =
        Caffeine.newBuilder()
            .ticker(ticker)
            .expireAfterWrite(settings.lasts())
            .maximumSize(MAX_CALLERS)
            .build();
  }

  /** Whether what is said of lockouts is the same. */
  public boolean isBy(LockoutSettings others) {
    return settings.equals(others);
  }

  /** A caller calls a method at a target that the jars of interfaces have. */
  public void onKnownMethod(Caller caller, String target) {
    Set<String> targets = known.get(caller, first -> ConcurrentHashMap.newKeySet());
    if (targets.size() < MAX_KNOWN_TARGETS) {
      targets.add(target);
    }
  }

  /** Whether it has done so: then it guesses if it calls another one that they do not have. */
  public boolean hasKnownMethod(Caller caller, String target) {
    Set<String> targets = known.getIfPresent(caller);
    return targets != null && targets.contains(target);
  }

  /**
   * A caller has been refused something hostile.
   *
   * @param what short, and the same for the same thing
   */
  public void onRefused(Caller caller, String what) {
    if (isOn(caller)) {
      return;
    }
    Set<String> things = refused.get(caller, first -> ConcurrentHashMap.newKeySet());
    if (things.add(what) && things.size() >= settings.after()) {
      lock(caller, settings.after(), List.copyOf(new TreeSet<>(things)));
    }
  }

  /**
   * A caller has been refused something of which an honest client may try many.
   *
   * @param what likewise
   */
  public void onRefusedManifold(Caller caller, String what) {
    if (isOn(caller)) {
      return;
    }
    Set<String> things = manifold.get(caller, first -> ConcurrentHashMap.newKeySet());
    if (things.add(what) && things.size() >= manifoldAfter()) {
      lock(caller, manifoldAfter(), List.of(manifoldAfter() + MANIFOLD));
    }
  }

  /** The number of different refused things, of kinds that honest clients try, that locks out. */
  public int manifoldAfter() {
    long many = Math.min((long) settings.after() * MANIFOLD_FACTOR, MAX_MANIFOLD);
    return (int) Math.max(settings.after(), many);
  }

  private void lock(Caller caller, int after, List<String> things) {
    Instant now = Clock.systemUTC().instant();
    String id = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
    LockoutView view =
        new LockoutView(id, caller.toString(), now, now.plus(settings.lasts()), things);
    anybody = true;
    if (locked.asMap().putIfAbsent(caller, view) == null) {
      refused.invalidate(caller);
      manifold.invalidate(caller);
      LOG.warn(
          "{} was refused {} different things: nothing of it is let through for {} s, in any"
              + " session; DELETE /admin/lockouts/{} ends that, and so does a change of lockout in the"
              + " configuration",
          caller,
          after,
          settings.lasts().toSeconds(),
          id);
    }
  }

  /** Whether nothing of somebody is let through. */
  public boolean isOn(Caller caller) {
    return anybody && locked.getIfPresent(caller) != null;
  }

  /** Until when nothing of a caller is let through; empty where that is not so. */
  public Optional<Instant> until(Caller caller) {
    return Optional.ofNullable(anybody ? locked.getIfPresent(caller) : null)
        .map(LockoutView::until);
  }

  /**
   * Ends a lockout; what was refused before does not count any more.
   *
   * @return what it was; empty when there is none
   */
  public Optional<LockoutView> end(String id) {
    return locked.asMap().entrySet().stream()
        .filter(entry -> entry.getValue().id().equals(id))
        .findFirst()
        .filter(entry -> locked.asMap().remove(entry.getKey(), entry.getValue()))
        .map(Map.Entry::getValue);
  }

  /** All there are, the latest last. */
  public List<LockoutView> views() {
    locked.cleanUp();
    return locked.asMap().values().stream()
        .sorted(Comparator.comparing(LockoutView::since))
        .toList();
  }
}

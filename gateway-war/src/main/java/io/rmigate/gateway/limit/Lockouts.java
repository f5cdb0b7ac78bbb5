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
 * Locks callers out that try hostile things: each call is refused for a while, in all sessions of
 * the caller. The number of different things counts. A thing that is refused for a missing rule, or
 * a stale object, may be an honest program's: many more of these are needed.
 *
 * <p>Bounded: of callers the latest are kept, of each no more things than it may be refused.
 * Thread-safe.
 */
public final class Lockouts {
  private static final Logger LOG = LoggerFactory.getLogger(Lockouts.class);
  private static final int MAX_CALLERS = 10_000;

  /** Most targets that are remembered of a caller. */
  private static final int MAX_KNOWN_TARGETS = 100;

  /** Callers of which refusals are kept that honest programs cause, too. */
  private static final int MAX_MANIFOLD_CALLERS = 200;

  /**
   * Factor for the number of such refusals that locks a caller out, up to {@link #MAX_MANIFOLD}.
   */
  private static final int MANIFOLD_FACTOR = 50;

  private static final int MAX_MANIFOLD = 10_000;

  private static final String MANIFOLD = " objects, references, targets and missing rules";

  private final LockoutSettings settings;
  private final Cache<Caller, Set<String>> refused;
  private final Cache<Caller, Set<String>> manifold;
  private final Cache<Caller, LockoutView> locked;

  /** By caller: targets of which it has called a method that the jars of interfaces have. */
  private final Cache<Caller, Set<String>> known =
      Caffeine.newBuilder().maximumSize(MAX_CALLERS).build();

  /** Whether there has ever been a lockout; in most gateways there is none. */
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

  /** Whether these lockouts have the same settings. */
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

  /** Whether the caller has called such a method; then an unknown method is a guess. */
  public boolean hasKnownMethod(Caller caller, String target) {
    Set<String> targets = known.getIfPresent(caller);
    return targets != null && targets.contains(target);
  }

  /**
   * A caller has been refused something hostile.
   *
   * @param what short, and equal for equal things
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
   * @param what short, and equal for equal things
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
          "{} was refused {} different requests and is locked out for {} s, in all its sessions;"
              + " DELETE /admin/lockouts/{} ends the lockout, and so does a change of the section"
              + " lockout",
          caller,
          after,
          settings.lasts().toSeconds(),
          id);
    }
  }

  /** Whether a caller is locked out. */
  public boolean isOn(Caller caller) {
    return anybody && locked.getIfPresent(caller) != null;
  }

  /** Until when a caller is locked out; empty if it is not. */
  public Optional<Instant> until(Caller caller) {
    return Optional.ofNullable(anybody ? locked.getIfPresent(caller) : null)
        .map(LockoutView::until);
  }

  /**
   * Ends a lockout; what was refused before does not count any more.
   *
   * @return the lockout that has ended; empty if there was none
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

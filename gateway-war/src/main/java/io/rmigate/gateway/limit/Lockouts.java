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
 * Whoever tries one thing after the other is let do nothing any more for a while, in none of its
 * sessions. What counts is how many different things a caller was refused: an honest application
 * that needs a rule is refused the same again and again, a guesser of methods or classes never. Of
 * what an honest client may try many of, such as the stubs of a session that was lost, or all that
 * its JVM dials, many more count.
 *
 * <p>Bounded: of callers the latest are kept, of each no more things than it may be refused.
 * Thread-safe.
 */
public final class Lockouts {
  private static final Logger LOG = LoggerFactory.getLogger(Lockouts.class);
  private static final int MAX_CALLERS = 10_000;

  /** Of which what honest ones may try many of is kept. */
  private static final int MAX_MANIFOLD_CALLERS = 200;

  /** So many times as many of these lock somebody out, as far as that is no more than... */
  private static final int MANIFOLD_FACTOR = 50;

  /** ...so many. */
  private static final int MAX_MANIFOLD = 10_000;

  private final LockoutSettings settings;
  private final Cache<Caller, Set<String>> refused;
  private final Cache<Caller, Set<String>> manifold;
  private final Cache<Caller, LockoutView> locked;

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

  /**
   * Somebody has been refused something.
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
   * Somebody has been refused something of which an honest client may try many.
   *
   * @param what likewise
   */
  public void onRefusedManifold(Caller caller, String what) {
    if (isOn(caller)) {
      return;
    }
    Set<String> things = manifold.get(caller, first -> ConcurrentHashMap.newKeySet());
    if (things.add(what) && things.size() >= manifoldAfter()) {
      lock(caller, manifoldAfter(), List.of(manifoldAfter() + " objects, references and targets"));
    }
  }

  /** After so many different objects, references and targets somebody is locked out. */
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

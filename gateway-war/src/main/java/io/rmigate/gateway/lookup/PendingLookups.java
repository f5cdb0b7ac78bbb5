package io.rmigate.gateway.lookup;

import java.util.ArrayList;
import java.util.List;

/**
 * The lookups of one name at its registry. One at a time is in progress; an agent that asks
 * meanwhile waits for it, or for the next one if it needs a later result. Guarded by the lock of
 * {@link RegistryWatch}, which makes the calls.
 *
 * <pre>
 *   IDLE ── begin ──► UNDER WAY ── end ──► IDLE: those who waited are answered
 *                         └─ made worthless ── end ──► IDLE: they wait for the next one
 * </pre>
 */
final class PendingLookups {
  /** After this number of worthless lookups the name counts as not cacheable. */
  private static final int MAX_IN_VAIN = 8;

  /**
   * An agent that waits for the binding of the name.
   *
   * @param number of the LOOKUP; 0 for a preload, whose answer is a push
   */
  record Request(Subscription subscription, long number) {}

  /** Agents that wait for the lookup in progress. */
  private List<Request> waiting = new ArrayList<>(1);

  /** Agents that wait for the next lookup. */
  private List<Request> early = new ArrayList<>(1);

  /** Number of the latest lookup, counted from 1. */
  private long number;

  private long beganNanos;
  private long dueNanos;
  private boolean underWay;
  private boolean worthless;
  private int inVain;

  /** An agent begins to wait for the first lookup with this number or a later one. */
  void join(Request ask, long firstGood) {
    ask.subscription().asks(1);
    (underWay && number >= firstGood ? waiting : early).add(ask);
  }

  boolean isUnderWay() {
    return underWay;
  }

  /** Whether an agent waits for the lookup in progress or for the next one. */
  boolean isWanted() {
    return !waiting.isEmpty() || !early.isEmpty();
  }

  /** The number of the next lookup. */
  long next() {
    return number + 1;
  }

  /** A lookup begins. */
  void begin(long now, long pollNanos) {
    waiting.addAll(early);
    early = new ArrayList<>(1);
    number++;
    beganNanos = now;
    dueNanos = now + pollNanos;
    underWay = true;
    worthless = false;
  }

  /** The number of the latest lookup. */
  long number() {
    return number;
  }

  long beganNanos() {
    return beganNanos;
  }

  /** The lookup has ended. Returns whether its result counts. */
  boolean end() {
    underWay = false;
    inVain = worthless ? inVain + 1 : 0;
    return !worthless;
  }

  /** The result of a lookup in progress does not count. */
  void makeWorthless() {
    worthless = underWay;
  }

  /** Whether too many lookups in a row were worthless. */
  boolean isHopeless() {
    return inVain >= MAX_IN_VAIN;
  }

  /** Agents that wait for the lookup in progress. */
  List<Request> waiting() {
    return waiting;
  }

  /** Removes and returns the asks that have waited for the lookup that has ended. */
  List<Request> take() {
    List<Request> answered = waiting;
    waiting = new ArrayList<>(1);
    answered.forEach(ask -> ask.subscription().asks(-1));
    return answered;
  }

  /** Removes and returns the asks of a subscription. */
  List<Request> takeOf(Subscription subscription) {
    List<Request> taken = new ArrayList<>();
    for (List<Request> asks : List.of(waiting, early)) {
      asks.stream().filter(ask -> ask.subscription() == subscription).forEach(taken::add);
      asks.removeIf(ask -> ask.subscription() == subscription);
    }
    taken.forEach(ask -> ask.subscription().asks(-1));
    return taken;
  }

  /** The next lookup is due by then. */
  void dueBy(long nanos) {
    dueNanos = dueNanos - nanos < 0 ? dueNanos : nanos;
  }

  /** Whether the next lookup is due before {@code nanos} are over. */
  boolean isDue(long now, long nanos) {
    return !underWay && dueNanos - now <= nanos;
  }
}

package io.rmigate.gateway.lookup;

import java.util.ArrayList;
import java.util.List;

/**
 * The lookups of one name inside. One at a time is under way; who asks meanwhile waits for it, or
 * for the one after it if only that will do. Guarded by the lock of {@link RegistryWatch}, which
 * makes the calls.
 *
 * <pre>
 *   IDLE ── begin ──► UNDER WAY ── end ──► IDLE: those who waited are answered
 *                         └─ made worthless ── end ──► IDLE: they wait for the next one
 * </pre>
 */
final class Inquiry {
  /** Of a name that changes faster than it can be looked up nobody needs to hold anything. */
  private static final int MAX_IN_VAIN = 8;

  /**
   * Somebody who waits for what the name is bound to.
   *
   * @param number of the LOOKUP; 0 when it is to be told as if it had changed
   */
  record Ask(Subscription subscription, long number) {}

  /** Who waits for the lookup that is under way. */
  private List<Ask> waiting = new ArrayList<>(1);

  /** Who waits for the one after it. */
  private List<Ask> early = new ArrayList<>(1);

  /** Of the latest lookup, from 1. */
  private long number;

  private long beganNanos;
  private long dueNanos;
  private boolean underWay;
  private boolean worthless;
  private int inVain;

  /** Somebody waits from here on; for the lookup that has this number, or a later one. */
  void join(Ask ask, long firstGood) {
    ask.subscription().asks(1);
    (underWay && number >= firstGood ? waiting : early).add(ask);
  }

  boolean isUnderWay() {
    return underWay;
  }

  /** Whether somebody waits, be it for the one under way or for the next. */
  boolean isWanted() {
    return !waiting.isEmpty() || !early.isEmpty();
  }

  /** Which number the next lookup has. */
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

  /** Of the latest lookup. */
  long number() {
    return number;
  }

  long beganNanos() {
    return beganNanos;
  }

  /** The lookup has ended; whether what it has brought counts. */
  boolean end() {
    underWay = false;
    inVain = worthless ? inVain + 1 : 0;
    return !worthless;
  }

  /** What the lookup under way brings, if one is, counts for nothing. */
  void makeWorthless() {
    worthless = underWay;
  }

  /** Whether lookups have been in vain so often that nobody should wait for another one. */
  boolean isHopeless() {
    return inVain >= MAX_IN_VAIN;
  }

  /** Who waits for the lookup that is under way. */
  List<Ask> waiting() {
    return waiting;
  }

  /** Those who have waited for the lookup that has ended; they do no more. */
  List<Ask> take() {
    List<Ask> answered = waiting;
    waiting = new ArrayList<>(1);
    answered.forEach(ask -> ask.subscription().asks(-1));
    return answered;
  }

  /** Those asks; they wait no more. */
  List<Ask> takeOf(Subscription subscription) {
    List<Ask> taken = new ArrayList<>();
    for (List<Ask> asks : List.of(waiting, early)) {
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

package io.rmigate.gateway.callback;

import io.rmigate.gateway.quota.Quota;
import io.rmigate.gateway.quota.Shares;
import io.rmigate.protocol.AddressOwner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Places for connections of inner JVMs, bounded, in fair {@link Shares} of the hosts: one host
 * cannot take them from all others. A host that has its share, or finds no place free, gets the
 * place of an idle connection: its own, or one of a host that has more places ({@link
 * ConnectionAdmission}).
 *
 * <p>Thread-safe. Guests are asked, and sent away, outside the lock.
 */
final class ConnectionPlaces {
  /**
   * After this time a connection counts as unused: JDKs close such connections themselves, after 15
   * s, and ping them before they use them.
   */
  static final Duration RESTED = Duration.ofSeconds(30);

  /** Connections looked at for one decision; the next decision looks at others. */
  private static final int MAX_LOOKED_AT = 32;

  /** One connection. */
  interface Guest {

    /** The owner of the connection, for shares. */
    AddressOwner sharer();

    /** For how long it has rested; negative when it does not rest. */
    long restedNanos(long now);

    /** Ends the connection at once if it still rests; false if it does not rest. */
    boolean giveWay(long now);
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Shares<AddressOwner> shares = new Shares<>();

  /** Connections by host; the ones looked at longest ago come first. */
  private final Map<AddressOwner, Set<Guest>> guests = new HashMap<>();

  /**
   * Gives a connection a place that is free, and within its share.
   *
   * @param bound how many there are
   * @return false when there is none
   */
  boolean enter(Guest newcomer, int bound) {
    lock.lock();
    try {
      boolean admitted = shares.permits(newcomer.sharer(), 1, Quota.threeQuarters(bound));
      if (admitted) {
        add(newcomer);
      }
      return admitted;
    } finally {
      lock.unlock();
    }
  }

  /**
   * The connection whose place a newcomer may take.
   *
   * @param leaving connections that leave in any case; one of them is chosen if that suffices
   * @return empty when no connection that was looked at may leave
   */
  Optional<Guest> whoMightLeave(Guest newcomer, int bound, Collection<Guest> leaving, long now) {
    List<Guest> some;
    lock.lock();
    try {
      AddressOwner whose = whoMakesRoom(newcomer.sharer(), bound);
      Optional<Guest> enough =
          leaving.stream()
              .filter(one -> has(one) && makesRoom(one.sharer(), newcomer.sharer(), whose, bound))
              .findFirst();
      if (enough.isPresent()) {
        return enough;
      }
      some = lookAtSome(whose);
    } finally {
      lock.unlock();
    }
    return longestRested(some, now);
  }

  /** The newcomer's own host, or who has most if that is more and all is full. */
  private AddressOwner whoMakesRoom(AddressOwner newcomer, int bound) {
    if (shares.taken() < bound) {
      return newcomer;
    }
    return shares
        .greediest()
        .filter(most -> shares.of(most) > shares.of(newcomer) + 1)
        .orElse(newcomer);
  }

  /** Whether a connection may enter when one of {@code leaving} has left. */
  private boolean makesRoom(
      AddressOwner leaving, AddressOwner newcomer, AddressOwner whose, int bound) {
    if (leaving.equals(newcomer) || leaving.equals(whose)) {
      return true; // one for one
    }
    shares.release(leaving, 1);
    boolean admitted = shares.permits(newcomer, 1, Quota.threeQuarters(bound));
    shares.takeAnyway(leaving, 1);
    return admitted;
  }

  private boolean has(Guest guest) {
    return guests.getOrDefault(guest.sharer(), Set.of()).contains(guest);
  }

  private List<Guest> lookAtSome(AddressOwner whose) {
    Set<Guest> all = guests.get(whose);
    if (all == null) {
      return List.of();
    }
    List<Guest> some = new ArrayList<>(Math.min(all.size(), MAX_LOOKED_AT));
    for (Iterator<Guest> next = all.iterator(); next.hasNext() && some.size() < MAX_LOOKED_AT; ) {
      some.add(next.next());
      next.remove();
    }
    all.addAll(some);
    return some;
  }

  /**
   * Gives a connection the place of one that has left for it.
   *
   * @return false when another connection has got the place meanwhile
   */
  boolean enterInstead(Guest newcomer, Guest gone, int bound) {
    lock.lock();
    try {
      remove(gone);
      boolean free = shares.taken() < bound;
      if (free) {
        add(newcomer);
      }
      return free;
    } finally {
      lock.unlock();
    }
  }

  private static Optional<Guest> longestRested(List<Guest> looked, long now) {
    Optional<Guest> longest = Optional.empty();
    long most = RESTED.toNanos() - 1;
    for (Guest guest : looked) {
      long rested = guest.restedNanos(now);
      if (rested > most) {
        most = rested;
        longest = Optional.of(guest);
      }
    }
    return longest;
  }

  private void add(Guest guest) {
    if (guests.computeIfAbsent(guest.sharer(), host -> new LinkedHashSet<>()).add(guest)) {
      shares.takeAnyway(guest.sharer(), 1);
    }
  }

  /** A connection needs its place no more. Idempotent. */
  void leave(Guest guest) {
    lock.lock();
    try {
      remove(guest);
    } finally {
      lock.unlock();
    }
  }

  private void remove(Guest guest) {
    Set<Guest> all = guests.get(guest.sharer());
    if (all != null && all.remove(guest)) {
      shares.release(guest.sharer(), 1);
      if (all.isEmpty()) {
        guests.remove(guest.sharer());
      }
    }
  }

  long taken() {
    return shares.taken();
  }

  /** The owner with most places, and their number, for people. */
  String mostOf() {
    lock.lock();
    try {
      return shares
          .greediest()
          .map(host -> shares.of(host) + " of them from " + host)
          .orElse("none");
    } finally {
      lock.unlock();
    }
  }
}

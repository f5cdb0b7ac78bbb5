package io.rmigate.gateway.callback;

import io.rmigate.gateway.callback.ConnectionPlaces.Guest;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Admits a connection that gets a place within every bound: of its session, and of all sessions.
 * First it finds the idle connection that would have to leave at each bound; it closes these only
 * if there is one for each bound, connections of the same session first. So a connection that is
 * refused closes no other. (A connection chosen to leave may become busy at that moment; another
 * one may then have been closed in vain.)
 *
 * <p>Threads: newcomers of a session on its loop, those of several sessions at the same time.
 *
 * @param bounds the session's first
 */
record ConnectionAdmission(List<Bound> bounds) {

  /**
   * A bounded number of places.
   *
   * @param what name of the places, for people
   */
  record Bound(String what, ConnectionPlaces places, int most) {

    /** How many are taken, and by whom, for people. */
    String taken() {
      return places.taken() + " open, " + places.mostOf();
    }
  }

  ConnectionAdmission {
    bounds = List.copyOf(bounds);
  }

  /**
   * Gives the newcomer its places, all or none.
   *
   * @return the bound within which there was none; empty when it is in
   */
  Optional<Bound> letIn(Guest newcomer, long now) {
    Optional<Bound> full = enter(newcomer, now);
    if (full.isPresent()) {
      leave(newcomer);
    }
    return full;
  }

  private Optional<Bound> enter(Guest newcomer, long now) {
    Map<Bound, Guest> leaving = new LinkedHashMap<>();
    for (Bound bound : bounds) {
      if (!bound.places.enter(newcomer, bound.most)) {
        Optional<Guest> rested =
            bound.places.whoMightLeave(newcomer, bound.most, leaving.values(), now);
        if (rested.isEmpty()) {
          return Optional.of(bound);
        }
        leaving.put(bound, rested.get());
      }
    }
    for (Guest rested : new LinkedHashSet<>(leaving.values())) {
      if (!rested.giveWay(now)) {
        return leaving.keySet().stream().filter(one -> leaving.get(one) == rested).findFirst();
      }
    }
    return leaving.keySet().stream()
        .filter(bound -> !bound.places.enterInstead(newcomer, leaving.get(bound), bound.most))
        .findFirst();
  }

  /** A connection needs its places no more. Idempotent. */
  void leave(Guest guest) {
    bounds.forEach(bound -> bound.places.leave(guest));
  }
}

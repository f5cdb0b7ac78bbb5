package io.rmigate.gateway.callback;

import io.rmigate.gateway.callback.InnerPlaces.Guest;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Lets a connection in that gets a place within every bound: of its session, and of all sessions.
 * One that does not get in has nobody sent away: it is seen first who would have to leave at each
 * bound, and only then is anybody asked to, those of its own session before others. So the tries of
 * a session that is full take nothing from others, nor do those of one that finds all full take
 * anything from itself. (Whoever is to leave may begin to talk in that very moment; then somebody
 * may have left in vain.)
 *
 * <p>Threads: newcomers of a session on its loop, those of several sessions at the same time.
 *
 * @param bounds the session's first
 */
record Doorkeeper(List<Bound> bounds) {

  /**
   * So many places and no more.
   *
   * @param what of which places they are, for people
   */
  record Bound(String what, InnerPlaces places, int most) {

    /** How many are taken, and by whom, for people. */
    String taken() {
      return places.taken() + " open, " + places.mostOf();
    }
  }

  Doorkeeper {
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

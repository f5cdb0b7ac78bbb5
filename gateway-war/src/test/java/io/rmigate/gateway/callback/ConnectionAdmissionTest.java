package io.rmigate.gateway.callback;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.callback.ConnectionAdmission.Bound;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** THREATS T38: a place in the session and one in all; else none, and no connection is evicted. */
class ConnectionAdmissionTest {
  private static final long RESTED = ConnectionPlaces.RESTED.toNanos();
  private static final int ALL = 8;

  private final ConnectionPlaces all = new ConnectionPlaces();
  private final List<Visitor> asked = new ArrayList<>();

  /** A session with a number of places. */
  private final class Session {
    final ConnectionPlaces places = new ConnectionPlaces();
    final ConnectionAdmission door;

    Session(int most) {
      door =
          new ConnectionAdmission(
              List.of(new Bound("own", places, most), new Bound("all", all, ALL)));
    }

    /** What was full; empty when it is in. */
    String come(Visitor visitor) {
      visitor.whenGone = () -> door.leave(visitor);
      return door.letIn(visitor, 0).map(Bound::what).orElse("");
    }

    List<Visitor> crowd(int host, int count) {
      List<Visitor> crowd = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        Visitor one = visitor(host);
        assertThat(come(one)).isEmpty();
        crowd.add(one);
      }
      return crowd;
    }
  }

  private final Session small = new Session(4);
  private final Session other = new Session(ALL);
  private List<Visitor> othersOfFive;

  private Visitor visitor(int host) {
    return new Visitor(host, asked);
  }

  @Test
  void whoGetsInHasAPlaceInTheSessionAndAmongAll() {
    small.crowd(1, 2);
    other.crowd(2, 3);
    assertThat(small.places.taken()).isEqualTo(2);
    assertThat(all.taken()).isEqualTo(5);
  }

  /**
   * All is full, and so is the small session; of its hosts 4 has most, of all hosts 5.
   *
   * @return the connections of host 4
   */
  private List<Visitor> full() {
    List<Visitor> own = small.crowd(4, 3);
    small.crowd(5, 1);
    othersOfFive = other.crowd(5, 3);
    other.crowd(6, 1);
    assertThat(all.taken()).isEqualTo(ALL);
    return own;
  }

  @Test
  void noneOfTheSessionLeavesForOneThatFindsAllFull() {
    full().get(0).rested = RESTED;
    for (int tries = 0; tries < 9; tries++) {
      assertThat(small.come(visitor(5))).isEqualTo("all");
    }
    assertThat(asked).isEmpty();
    assertThat(small.places.taken()).isEqualTo(4);
    assertThat(all.taken()).isEqualTo(ALL);
  }

  @Test
  void placeOfTheSessionIsGivenBackIfThereIsNoneAmongAll() {
    other.crowd(2, 5);
    small.crowd(3, 2);
    other.crowd(4, 1);
    for (int tries = 0; tries < 9; tries++) {
      assertThat(small.come(visitor(6))).isEqualTo("all");
    }
    assertThat(small.places.taken()).isEqualTo(2);
  }

  @Test
  void noneOfOthersLeavesForOneWhoseSessionIsFull() {
    other.crowd(2, 5).forEach(one -> one.rested = RESTED);
    small.crowd(1, 3);
    for (int tries = 0; tries < 9; tries++) {
      assertThat(small.come(visitor(1))).isEqualTo("own");
    }
    assertThat(asked).isEmpty();
    assertThat(all.taken()).isEqualTo(ALL);
  }

  @Test
  void oneThatRestsMakesRoomAtBothBoundsIfBothAreFull() {
    other.crowd(2, 3);
    other.crowd(3, 2);
    List<Visitor> own = small.crowd(1, 3);
    own.forEach(one -> one.rested = RESTED);
    own.get(1).rested = RESTED + 1;
    assertThat(small.come(visitor(1))).isEmpty();
    assertThat(asked).containsExactly(own.get(1));
    assertThat(small.places.taken()).isEqualTo(3);
    assertThat(all.taken()).isEqualTo(ALL);
  }

  @Test
  void oneOfEachLeavesIfOneIsNotEnoughItsOwnFirst() {
    Visitor own = full().get(0);
    own.rested = RESTED;
    Visitor others = othersOfFive.get(0);
    others.rested = RESTED;
    assertThat(small.come(visitor(5))).isEmpty();
    assertThat(asked).containsExactly(own, others);
    assertThat(small.places.taken()).isEqualTo(4);
    assertThat(all.taken()).isEqualTo(ALL - 1);
  }

  @Test
  void oneOfAnotherHostIsEnoughWhereTheNewcomerHasFew() {
    List<Visitor> own = small.crowd(1, 3);
    small.crowd(2, 1);
    other.crowd(3, 3);
    other.crowd(4, 1);
    own.get(0).rested = RESTED;
    assertThat(all.taken()).isEqualTo(ALL);
    assertThat(small.come(visitor(2))).isEmpty();
    assertThat(asked).containsExactly(own.get(0));
  }

  @Test
  void whoTalksAgainWhenItIsToLeaveKeepsItsPlace() {
    List<Visitor> own = small.crowd(1, 3);
    own.get(0).rested = RESTED;
    own.get(0).talksAgain = true;
    assertThat(small.come(visitor(1))).isEqualTo("own");
    assertThat(asked).containsExactly(own.get(0));
    assertThat(small.places.taken()).isEqualTo(3);
    assertThat(all.taken()).isEqualTo(3);
  }

  @Test
  void placesAreGivenBackAtBothBounds() {
    List<Visitor> own = small.crowd(1, 3);
    own.forEach(small.door::leave);
    own.forEach(small.door::leave); // as often as one likes
    assertThat(small.places.taken()).isZero();
    assertThat(all.taken()).isZero();
  }
}

package io.rmigate.gateway.callback;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** THREATS T38: places for connections are shared fairly. */
class ConnectionPlacesTest {
  private static final long RESTED = ConnectionPlaces.RESTED.toNanos();

  private final ConnectionPlaces places = new ConnectionPlaces();
  private final List<Visitor> gone = new ArrayList<>();

  private boolean enter(Visitor visitor, int bound) {
    ConnectionAdmission.Bound only = new ConnectionAdmission.Bound("places", places, bound);
    return new ConnectionAdmission(List.of(only)).letIn(visitor, 0).isEmpty();
  }

  private boolean enter(int host, int bound) {
    return enter(new Visitor(host, gone), bound);
  }

  /** Sends {@code count} visitors of a host; returns those that were admitted. */
  private List<Visitor> crowd(int host, int count, int bound) {
    List<Visitor> entered = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Visitor one = new Visitor(host, gone);
      if (enter(one, bound)) {
        entered.add(one);
      }
    }
    return entered;
  }

  @Test
  void oneHostGetsThreeQuartersAndLeavesTheRestToOthers() {
    assertThat(crowd(1, 500, 100)).hasSize(75);
    assertThat(crowd(2, 18, 100)).hasSize(18);
    assertThat(enter(3, 100)).isTrue();
  }

  @Test
  void oneHostHasAnyPlaceIfThereAreFew() {
    assertThat(enter(1, 1)).isTrue();
    assertThat(enter(2, 1)).isFalse();
    assertThat(enter(2, 0)).isFalse();
  }

  @Test
  void placesAreHadAgain() {
    List<Visitor> all = crowd(1, 100, 100);
    all.forEach(places::leave);
    all.forEach(places::leave); // as often as one likes
    assertThat(places.taken()).isZero();
    assertThat(crowd(1, 100, 100)).hasSize(75);
  }

  @Test
  void whoHasItsShareGivesUpTheConnectionThatHasRestedLongest() {
    List<Visitor> all = crowd(1, 12, 16);
    all.get(3).rested = RESTED;
    all.get(7).rested = RESTED + 1;
    assertThat(enter(1, 16)).isTrue();
    assertThat(gone).containsExactly(all.get(7));
    assertThat(places.taken()).isEqualTo(12);
  }

  @Test
  void nobodyGoesWhoHasNotRested() {
    crowd(1, 12, 16).forEach(one -> one.rested = RESTED - 1);
    assertThat(enter(1, 16)).isFalse();
    assertThat(gone).isEmpty();
  }

  @Test
  void greediestMakesRoomForTheOthersWhenAllIsFull() {
    List<Visitor> greedy = crowd(1, 100, 20);
    for (int host = 2; host < 20; host++) {
      boolean unused = enter(host, 20);
    }
    assertThat(places.taken()).isEqualTo(20);
    assertThat(enter(30, 20)).isFalse();
    greedy.get(2).rested = RESTED;
    assertThat(enter(30, 20)).isTrue();
    assertThat(gone).containsExactly(greedy.get(2));
    assertThat(places.taken()).isEqualTo(20);
  }

  @Test
  void thoseWhoRestAreFoundAmongManyWhoDoNot() {
    List<Visitor> all = crowd(1, 75, 100);
    all.get(70).rested = RESTED;
    int tries = 1;
    while (!enter(1, 100)) {
      tries++;
      assertThat(tries).isLessThan(10); // others are looked at each time
    }
    assertThat(gone).containsExactly(all.get(70));
  }
}

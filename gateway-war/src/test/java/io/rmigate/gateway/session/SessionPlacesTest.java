package io.rmigate.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How many sessions are let in. */
class SessionPlacesTest {
  /** Three in all, two of one principal. */
  private final SessionPlaces places =
      new SessionPlaces(
          new SessionSettings(
              Duration.ofSeconds(15),
              Duration.ofSeconds(10),
              256 * 1024,
              16,
              2,
              3,
              Duration.ofMinutes(1),
              Duration.ZERO));

  @Test
  void aPrincipalHasNoMoreThanItsOwn() {
    places.take("ann");
    places.take("ann");

    assertThat(places.take("ann")).isFalse();
    assertThat(places.take("bob")).isTrue();
  }

  @Test
  void allTogetherHaveNoMoreThanThereAre() {
    places.take("ann");
    places.take("ann");
    places.take("bob");

    assertThat(places.take("eve")).isFalse();
  }

  @Test
  void aPlaceThatIsGivenBackIsForAnybody() {
    places.take("ann");
    places.take("ann");
    places.take("bob");

    places.giveBack("ann");

    assertThat(places.take("eve")).isTrue();
  }

  @Test
  void whoGivesOneBackMayHaveItAgain() {
    places.take("ann");
    places.take("ann");

    places.giveBack("ann");

    assertThat(places.take("ann")).isTrue();
    assertThat(places.take("ann")).isFalse();
  }
}

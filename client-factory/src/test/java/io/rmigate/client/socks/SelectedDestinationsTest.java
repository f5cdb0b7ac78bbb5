package io.rmigate.client.socks;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.protocol.jrmp.EndpointId;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What the selector has sent to the door may be asked for there: once, and soon. */
class SelectedDestinationsTest {
  private static final EndpointId INSIDE = new EndpointId("inside.example", 9010);

  private final AtomicLong now = new AtomicLong();
  private final SelectedDestinations selections = new SelectedDestinations(now::get);

  @Test
  void whatWasNotSelectedIsNotThere() {
    selections.add(new SelectedDestinations.Selection(INSIDE, false));
    assertThat(selections.take(new EndpointId("inside.example", 9011))).isEmpty();
    assertThat(selections.take(new EndpointId("other.example", 9010))).isEmpty();
  }

  @Test
  void selectionIsGoodForOneConnection() {
    selections.add(new SelectedDestinations.Selection(INSIDE, false));
    selections.add(new SelectedDestinations.Selection(INSIDE, false));
    assertThat(selections.take(INSIDE)).contains(new SelectedDestinations.Selection(INSIDE, false));
    assertThat(selections.take(INSIDE)).contains(new SelectedDestinations.Selection(INSIDE, false));
    assertThat(selections.take(INSIDE)).isEmpty();
  }

  @Test
  void selectionIsGoodForAMomentOnly() {
    selections.add(new SelectedDestinations.Selection(INSIDE, false));
    now.addAndGet(SelectedDestinations.VALID.toNanos());
    assertThat(selections.take(INSIDE)).isPresent();
    selections.add(new SelectedDestinations.Selection(INSIDE, false));
    now.addAndGet(SelectedDestinations.VALID.toNanos() + 1);
    assertThat(selections.take(INSIDE)).isEmpty();
  }

  @Test
  void addressThatANameStandsForIsTheName() {
    EndpointId named = new EndpointId("localhost", 9010);
    selections.add(new SelectedDestinations.Selection(named, false));
    assertThat(selections.take(new EndpointId("127.0.0.1", 9011))).isEmpty();
    assertThat(selections.take(new EndpointId("127.0.0.2", 9010))).isEmpty();
    assertThat(selections.take(new EndpointId("127.0.0.1", 9010)))
        .contains(new SelectedDestinations.Selection(named, false));
    assertThat(selections.take(new EndpointId("127.0.0.1", 9010))).isEmpty();
  }

  @Test
  void oldestAreForgottenWhereThereAreTooMany() {
    for (int i = 1; i <= SelectedDestinations.MOST + 1; i++) {
      selections.add(new SelectedDestinations.Selection(new EndpointId("h" + i, 1), false));
    }
    assertThat(selections.take(new EndpointId("h1", 1))).isEmpty();
    assertThat(selections.take(new EndpointId("h2", 1))).isPresent();
  }
}

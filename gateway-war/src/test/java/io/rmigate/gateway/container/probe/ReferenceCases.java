package io.rmigate.gateway.container.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.sample.Basket;
import io.rmigate.sample.Catalogue;
import io.rmigate.sample.Counter;
import io.rmigate.sample.Everything;
import java.rmi.ConnectException;
import java.rmi.NoSuchObjectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;

/** Remote objects as results and arguments, and what becomes of them. */
final class ReferenceCases {
  private final Inside inside;
  private final Everything everything;

  ReferenceCases(Inside inside) throws Exception {
    this.inside = inside;
    everything = inside.everything();
  }

  @Case
  void objectsMadeByACallCanBeCalled() throws Exception {
    Counter counter = everything.newCounter(10);
    assertThat(counter.increment()).isEqualTo(11);
    assertThat(counter.increment()).isEqualTo(12);
    Counter other = everything.newCounter(0);
    assertThat(other.increment()).isEqualTo(1);
    assertThat(other).isNotEqualTo(counter);
    Basket basket = ((Catalogue) inside.registry().lookup(Catalogue.NAME)).newBasket();
    assertThat(basket.add("G-01", 1)).isEqualByComparingTo("12.50");
  }

  @Case
  void objectsOnPortsOfTheirOwnCanBeCalled() throws Exception {
    Counter counter = everything.newCounterOnItsOwnPort(5);
    assertThat(counter.increment()).isEqualTo(6);
    counter.unexport();
  }

  @Case
  void referencesCanBeHandedBackToTheirServer() throws Exception {
    Counter counter = everything.newCounter(0);
    assertThat(everything.incrementFor(counter)).isEqualTo(1);
    assertThat(counter.increment()).isEqualTo(2);
    assertThat(everything.echo(counter)).isEqualTo(counter);
  }

  @Case
  void stubsKeepTheNameInside() throws Exception {
    assertThat(everything.newCounter(0).toString()).contains(inside.host());
  }

  /** Which of the two depends on whether a connection from before is still there to be used. */
  @Case
  void objectsOfClosedPortsAreGoneOrCannotBeReached() throws Exception {
    Counter counter = everything.newCounterOnItsOwnPort(0);
    assertThat(counter.increment()).isEqualTo(1);
    counter.unexport();
    assertThatThrownBy(counter::increment)
        .isInstanceOfAny(NoSuchObjectException.class, ConnectException.class);
    assertThat(everything.echoInt(1)).isEqualTo(1);
  }

  /** Distributed garbage collection: the server hears of it when no stub is left here. */
  @Case
  void droppedReferencesAreReleasedAtTheServer() throws Exception {
    int before = everything.unreferencedCounters();
    List<Counter> counters = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      counters.add(everything.newCounter(i));
    }
    for (Counter counter : counters) {
      counter.increment();
    }
    counters.clear();
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(200))
        .untilAsserted(
            () -> {
              System.gc();
              assertThat(everything.unreferencedCounters() - before).isGreaterThanOrEqualTo(19);
            });
  }
}

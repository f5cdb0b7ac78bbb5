package io.rmigate.gateway.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BusyConnectionsTest {
  private static final long WINDOW = TimeUnit.MILLISECONDS.toNanos(20);

  private final BusyConnections crowd = new BusyConnections();
  private long now = 1_000_000;

  private void readFrom(int connections) {
    for (int i = 0; i < connections; i++) {
      crowd.seen(0);
    }
  }

  private void nextWindow() {
    now += WINDOW;
    crowd.onRound(now);
  }

  @Test
  void manyBusyConnectionsAreACrowdInTheNextWindow() {
    nextWindow();
    readFrom(BusyConnections.LEAST);
    assertThat(crowd.isCrowded()).isFalse();

    nextWindow();

    assertThat(crowd.isCrowded()).isTrue();
  }

  @Test
  void fewConnectionsAreNoCrowdHoweverOftenTheyAreRead() {
    nextWindow();
    long seen = 0;
    for (int i = 0; i < 10 * BusyConnections.LEAST; i++) {
      seen = crowd.seen(seen);
    }

    nextWindow();

    assertThat(crowd.isCrowded()).isFalse();
  }

  @Test
  void aCrowdEndsWithTheFirstWindowThatHasNone() {
    nextWindow();
    readFrom(BusyConnections.LEAST);
    nextWindow();

    nextWindow();

    assertThat(crowd.isCrowded()).isFalse();
  }

  @Test
  void aCrowdBeforeALongPauseDoesNotCount() {
    nextWindow();
    readFrom(BusyConnections.LEAST);
    now += 10 * WINDOW;

    nextWindow();

    assertThat(crowd.isCrowded()).isFalse();
  }
}

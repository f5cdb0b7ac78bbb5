package io.rmigate.client.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.protocol.tunnel.Heartbeat;
import org.junit.jupiter.api.Test;

class LinkGaugeTest {
  private long now;
  private final LinkGauge gauge = new LinkGauge(() -> now);

  @Test
  void theShortestOfTheLatestRoundTripsCounts() {
    assertThat(gauge.roundTripNanos()).isEmpty();
    for (long trip : new long[] {900, 300, 700}) {
      gauge.onRoundTrip(trip);
    }
    assertThat(gauge.roundTripNanos()).hasValue(300);
    for (int i = 0; i < 8; i++) {
      gauge.onRoundTrip(500);
    }
    assertThat(gauge.roundTripNanos()).as("the old ones are out of date").hasValue(500);
    assertThat(gauge.roundTrips()).isEqualTo(11);
  }

  @Test
  void aHeartbeatIsMeasuredFromItsSendingToItsAnswer() {
    now = 1_000;
    Heartbeat heartbeat = gauge.heartbeat();
    assertThat(gauge.isWaiting()).isTrue();
    now = 1_250;
    assertThat(gauge.onAck(heartbeat.number())).isTrue();
    assertThat(gauge.roundTripNanos()).hasValue(250);
    assertThat(gauge.isWaiting()).isFalse();
  }

  @Test
  void onlyTheLatestHeartbeatIsMeasuredAndOnlyOnce() {
    Heartbeat first = gauge.heartbeat();
    Heartbeat second = gauge.heartbeat();
    assertThat(gauge.onAck(first.number())).isFalse();
    assertThat(gauge.onAck(second.number())).isTrue();
    assertThat(gauge.onAck(second.number())).isFalse();
    assertThat(gauge.onAck(77)).isFalse();
    assertThat(gauge.roundTrips()).isEqualTo(1);
  }

  @Test
  void aRateIsThatOfAStretchAndTheBestCounts() {
    assertThat(gauge.onRead(60_000, 1_000_000)).isFalse();
    assertThat(gauge.onRead(60_000, 1_000_000)).isTrue();
    assertThat(gauge.bytesPerSecond()).as("one may be an accident").isEmpty();
    assertThat(gauge.onRead(120_000, 1_000_000_000)).isTrue();
    assertThat(gauge.bytesPerSecond()).hasValue(60_000_000);
    for (int i = 0; i < 8; i++) {
      gauge.onRead(120_000, 1_000_000_000);
    }
    assertThat(gauge.bytesPerSecond()).as("the old ones are out of date").hasValue(120_000);
  }
}

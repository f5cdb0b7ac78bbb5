package io.rmigate.client.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class CodingChoiceTest {
  private static final Duration NEAR = Duration.ofNanos(200_000);
  private static final Duration DOUBTFUL = Duration.ofMillis(20);
  private static final Duration FAR = Duration.ofMillis(600);

  private long now = 5;
  private final LinkGauge gauge = new LinkGauge(() -> now);
  private final CodingChoice choice = new CodingChoice(gauge, () -> now);

  @Test
  void nothingIsCodedBeforeAnythingIsKnown() {
    assertThat(choice.decide()).isFalse();
  }

  @Test
  void aNearGatewayIsSpokenToPlainlyAndNotProbed() {
    assertThat(decideAfter(NEAR)).isFalse();
    assertThat(choice.isProbeDue(now)).isFalse();
  }

  @Test
  void aSlowLinkIsKnownByItsFirstRoundTrip() {
    assertThat(decideAfter(FAR)).isTrue();
  }

  @Test
  void aDoubtfulFirstRoundTripIsFollowedByOthersThatSettleIt() {
    assertThat(decideAfter(DOUBTFUL)).isFalse();
    assertThat(choice.isProbeDue(now)).isTrue();
    assertThat(decideAfter(DOUBTFUL)).isFalse();
    assertThat(decideAfter(DOUBTFUL)).isTrue();
    assertThat(choice.isProbeDue(now)).as("settled").isFalse();
  }

  @Test
  void aSlowStartOfANearGatewayIsForgotten() {
    assertThat(decideAfter(FAR)).as("classes were loaded").isTrue();
    assertThat(choice.isProbeDue(now)).isTrue();
    assertThat(decideAfter(NEAR)).isFalse();
  }

  @Test
  void oneProbeIsUnderWayAtATime() {
    decideAfter(DOUBTFUL);
    long number = gauge.heartbeat().number();
    assertThat(choice.isProbeDue(now)).isFalse();
    gauge.onAck(number);
    assertThat(choice.isProbeDue(now)).isTrue();
  }

  @Test
  void nowAndThenItIsMeasuredAgain() {
    decideAfter(NEAR);
    now += CodingChoice.NOW_AND_THEN.toNanos() - 1;
    assertThat(choice.isProbeDue(now)).isFalse();
    now++;
    assertThat(choice.isProbeDue(now)).isTrue();
  }

  @Test
  void betweenTheThresholdsThingsStayAsTheyAre() {
    Duration between = Duration.ofMillis(4);
    settleAt(between);
    assertThat(choice.decide()).isFalse();
    settleAt(CodingChoice.FAR);
    assertThat(choice.decide()).isTrue();
    settleAt(between);
    assertThat(choice.decide()).isTrue();
    settleAt(CodingChoice.NEAR.minusNanos(1));
    assertThat(choice.decide()).isFalse();
  }

  @Test
  void aNearGatewayBehindASlowLinkIsCodedFor() {
    settleAt(NEAR);
    receiveAt(1_000_000);
    assertThat(choice.decide()).isTrue();
    receiveAt(3_000_000);
    assertThat(choice.decide()).as("between the thresholds").isTrue();
    receiveAt(5_000_000);
    assertThat(choice.decide()).isFalse();
    receiveAt(3_000_000);
    assertThat(choice.decide()).as("between the thresholds").isFalse();
  }

  private boolean decideAfter(Duration roundTrip) {
    gauge.onRoundTrip(roundTrip.toNanos());
    return choice.decide();
  }

  /** All round trips that count are of this length. */
  private void settleAt(Duration roundTrip) {
    for (int i = 0; i < 8; i++) {
      gauge.onRoundTrip(roundTrip.toNanos());
    }
  }

  /** All rates that count are this one. */
  private void receiveAt(long bytesPerSecond) {
    for (int i = 0; i < 8; i++) {
      gauge.onRead((int) (bytesPerSecond / 10), 100_000_000);
    }
  }
}

package io.rmigate.perf.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TcpEstimateTest {
  private static final long SECOND = 1_000_000_000L;

  /** A packet takes 10 ms. */
  private static final LinkProfile FAST = LinkProfile.parse("rate=1168k,delay=250ms");

  private final TcpEstimate estimate = new TcpEstimate(FAST);

  private void send(TcpEstimate estimate, Direction direction, int packets, long nanos) {
    for (int i = 0; i < packets; i++) {
      estimate.crossed(
          new Crossing(1, direction, new byte[LinkProfile.PACKET_BYTES], nanos, nanos, false));
    }
  }

  @Test
  void everyPacketHasAHeaderAndEverySecondInARowIsAcknowledged() {
    send(estimate, Direction.UP, 1, 0);
    send(estimate, Direction.DOWN, 5, 1);
    send(estimate, Direction.UP, 1, 2);
    assertThat(estimate.overhead()).isEqualTo(new TcpOverhead(7 * 40, 2 * 40, 0, Duration.ZERO));
  }

  @Test
  void windowThatIsUsedUpWaitsForItsFirstAcknowledgement() {
    send(estimate, Direction.UP, 10, 0);
    assertThat(estimate.overhead().slowStart()).isZero();
    send(estimate, Direction.UP, 1, 0); // 10 ms and 500 for the acknowledgement, 100 spent sending
    assertThat(estimate.overhead().slowStart()).isEqualTo(Duration.ofMillis(410));
    send(estimate, Direction.UP, 19, 0);
    assertThat(estimate.overhead().slowStart()).isEqualTo(Duration.ofMillis(410));
    send(estimate, Direction.UP, 1, 0); // the window is 20 by now
    assertThat(estimate.overhead().slowStart()).isEqualTo(Duration.ofMillis(410 + 310));
  }

  @Test
  void answerAcknowledgesEverything() {
    for (int i = 0; i < 5; i++) {
      send(estimate, Direction.UP, 10, i);
      send(estimate, Direction.DOWN, 1, i);
    }
    assertThat(estimate.overhead().slowStart()).isZero();
  }

  @Test
  void windowIsTheFirstAgainAfterALongSilence() {
    send(estimate, Direction.UP, 11, 0);
    send(estimate, Direction.UP, 11, SECOND); // acknowledged meanwhile; the window is 20
    assertThat(estimate.overhead().slowStart()).isEqualTo(Duration.ofMillis(410));
    send(estimate, Direction.UP, 11, 10 * SECOND);
    assertThat(estimate.overhead().slowStart()).isEqualTo(Duration.ofMillis(820));
  }

  @Test
  void slowLinkIsBusyLongerThanAnAcknowledgementTakes() {
    TcpEstimate gsm = new TcpEstimate(LinkProfile.parse("gsm"));
    send(gsm, Direction.DOWN, 100, 0);
    assertThat(gsm.overhead().slowStart()).isZero();
  }
}

package io.rmigate.client.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** When what was sent has surely passed a link. */
class SendingTimeTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long GSM_ROUND_TRIP = TimeUnit.MILLISECONDS.toNanos(600);
  private static final long LAN_ROUND_TRIP = TimeUnit.MILLISECONDS.toNanos(1);

  /** The rate of GSM data, which carries 1 200 bytes in a second. */
  private static final int GSM_BYTES = 1_200;

  private final SendingTime time = new SendingTime();

  @Test
  void aRequestThatASlowLinkStillCarriesIsGivenItsTime() {
    time.begin(0, 0, 0);

    long end = time.endNanos(0, 16_384, 16_384, GSM_ROUND_TRIP);

    assertThat(end).isGreaterThan(16_384 / GSM_BYTES * SECOND);
    assertThat(time.endNanos(2 * end, 16_384, 16_384, GSM_ROUND_TRIP)).isEqualTo(end);
  }

  @Test
  void aSmallRequestTakesNoTimeOnAFastLink() {
    time.begin(0, 0, 0);

    assertThat(time.endNanos(0, 200, 200, LAN_ROUND_TRIP)).isLessThan(SECOND / 100);
  }

  @Test
  void whatTheGatewayHasConfirmedIsNotOnItsWay() {
    time.begin(0, 0, 0);
    time.endNanos(0, 100_000, 100_000, GSM_ROUND_TRIP);

    assertThat(time.endNanos(SECOND, 100_000, 0, GSM_ROUND_TRIP)).isEqualTo(SECOND);
  }

  @Test
  void confirmationsShowThatTheLinkIsFasterThanItsRoundTripsSay() {
    time.begin(0, 0, 0);
    time.endNanos(0, 100_000, 99_000, GSM_ROUND_TRIP);
    time.endNanos(SECOND, 1_100_000, 99_000, GSM_ROUND_TRIP);

    long end = time.endNanos(2 * SECOND, 1_200_000, 100_000, GSM_ROUND_TRIP);

    assertThat(end - 2 * SECOND).isLessThan(SECOND);
  }

  @Test
  void aHeartbeatBehindTheQueueShowsThatItIsEmpty() {
    time.begin(0, 0, 0);
    time.endNanos(0, 100_000, 100_000, GSM_ROUND_TRIP);
    assertThat(time.wantsHeartbeat(0)).isTrue();
    time.onHeartbeat(0);
    assertThat(time.wantsHeartbeat(0)).isFalse();

    time.onAnswered(SECOND);

    assertThat(time.endNanos(SECOND, 100_000, 100_000, GSM_ROUND_TRIP)).isEqualTo(SECOND);
    long end = time.endNanos(SECOND, 150_000, 150_000, GSM_ROUND_TRIP);
    assertThat(end - SECOND).isBetween(SECOND / 2, 2 * SECOND);
  }

  @Test
  void anotherConnectionBeginsWithWhatIsSentAgain() {
    time.begin(0, 0, 0);
    time.endNanos(0, 100_000, 100_000, GSM_ROUND_TRIP);

    time.begin(SECOND, 100_000, GSM_BYTES);

    assertThat(time.endNanos(SECOND, 100_000, GSM_BYTES, GSM_ROUND_TRIP))
        .isBetween(2 * SECOND, 3 * SECOND);
  }
}

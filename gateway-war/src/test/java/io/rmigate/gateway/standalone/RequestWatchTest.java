package io.rmigate.gateway.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.config.GatewayConfig.RequestPace;
import io.rmigate.gateway.standalone.RequestWatch.Phase;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How fast requests have to come as shipped, on a clock of the test's own. */
class RequestWatchTest {
  private static final RequestPace PACE = new RequestPace(Duration.ofSeconds(30), 200);

  private final RequestWatch watch = new RequestWatch();
  private long second = 1_000;

  /** A look at the connection after that many seconds. */
  private boolean isTooSlow(int seconds, Phase phase, long request, long bytes) {
    second += seconds;
    return watch.isTooSlow(TimeUnit.SECONDS.toNanos(second), phase, request, bytes, PACE);
  }

  @Test
  void aHeadHasThePatienceInAll() {
    assertThat(isTooSlow(0, Phase.HEAD, 0, 0)).isFalse();
    assertThat(isTooSlow(29, Phase.HEAD, 0, 0)).isFalse();
    assertThat(isTooSlow(1, Phase.HEAD, 0, 0)).isTrue();
  }

  /** Looks may find one incomplete head after another. */
  @Test
  void eachHeadHasItsOwnTime() {
    for (int request = 0; request < 10; request++) {
      assertThat(isTooSlow(29, Phase.HEAD, request, 0)).isFalse();
    }
    assertThat(isTooSlow(29, Phase.OTHER, 9, 0)).isFalse();
    assertThat(isTooSlow(29, Phase.HEAD, 9, 0)).isFalse();
  }

  @Test
  void aBodyHasThePatienceForTheNextByte() {
    long bytes = 0;
    assertThat(isTooSlow(0, Phase.BODY, 1, bytes)).isFalse();
    for (int i = 0; i < 10; i++) {
      bytes += 1_000_000;
      assertThat(isTooSlow(1, Phase.BODY, 1, bytes)).isFalse();
      assertThat(isTooSlow(29, Phase.BODY, 1, bytes)).isFalse();
    }
    assertThat(isTooSlow(1, Phase.BODY, 1, bytes)).isTrue();
  }

  /** The reader of the request was told that it is too slow, and answers now. */
  @Test
  void whatHasStartedAgainHasThePatienceOnceMore() {
    assertThat(isTooSlow(0, Phase.BODY, 1, 10)).isFalse();
    assertThat(isTooSlow(30, Phase.BODY, 1, 10)).isTrue();
    watch.startAgain();
    assertThat(isTooSlow(1, Phase.BODY, 1, 10)).isFalse();
    assertThat(isTooSlow(29, Phase.BODY, 1, 10)).isFalse();
    assertThat(isTooSlow(1, Phase.BODY, 1, 10)).isTrue();
  }

  /** The first second in which the body is too slow; −1 if none of a thousand is. */
  private int tooSlowAfter(int bytesPerSecond) {
    for (int i = 0; i <= 1_000; i++) {
      if (isTooSlow(i == 0 ? 0 : 1, Phase.BODY, 1, (long) i * bytesPerSecond)) {
        return i;
      }
    }
    return -1;
  }

  @Test
  void aBodyThatTricklesHasTwiceThePatience() {
    assertThat(tooSlowAfter(199)).isEqualTo(60);
  }

  @Test
  void aBodyAtTheRateMayLast() {
    assertThat(tooSlowAfter(200)).isEqualTo(-1);
  }

  @Test
  void eachWindowCountsForItself() {
    assertThat(isTooSlow(0, Phase.BODY, 1, 0)).isFalse();
    assertThat(isTooSlow(1, Phase.BODY, 1, 10_000_000)).isFalse();
    long bytes = 10_000_000;
    for (int i = 1; i < 60; i++) {
      assertThat(isTooSlow(1, Phase.BODY, 1, ++bytes)).isFalse();
    }
    for (int i = 1; i < 60; i++) {
      assertThat(isTooSlow(1, Phase.BODY, 1, ++bytes)).isFalse();
    }
    assertThat(isTooSlow(1, Phase.BODY, 1, ++bytes)).isTrue();
  }

  /** A gateway that does not ask for bytes, or a request that waits for its answer. */
  @Test
  void onlyTimeInWhichTheClientIsWaitedForCounts() {
    assertThat(isTooSlow(0, Phase.BODY, 1, 5)).isFalse();
    assertThat(isTooSlow(29, Phase.BODY, 1, 5)).isFalse();
    assertThat(isTooSlow(100_000, Phase.OTHER, 1, 5)).isFalse();
    assertThat(isTooSlow(29, Phase.BODY, 1, 5)).isFalse();
    assertThat(isTooSlow(1, Phase.BODY, 1, 5)).isTrue();
  }
}

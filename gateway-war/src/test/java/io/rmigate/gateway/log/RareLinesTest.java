package io.rmigate.gateway.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.LogLines;
import io.rmigate.protocol.AddressOwner;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log is no place for others to write into as they like. */
class RareLinesTest {
  private static final Logger LOG = LoggerFactory.getLogger(RareLinesTest.class);
  private static final long MINUTE_NANOS = Duration.ofMinutes(1).toNanos();

  private final AtomicLong now = new AtomicLong();
  private final RareLines lines = new RareLines(now::get);
  private final RareLines callers = RareLines.ofCallers(now::get);

  private void refuse(Object caller, int times) {
    IntStream.range(0, times).forEach(i -> callers.warn(LOG, caller, "refused to {}", caller));
  }

  private static AddressOwner address(int number) {
    byte[] address = {10, (byte) (number >> 16), (byte) (number >> 8), (byte) number};
    try {
      return AddressOwner.of(InetAddress.getByAddress(address));
    } catch (UnknownHostException impossible) {
      throw new AssertionError(impossible);
    }
  }

  @Test
  void oneLineAMinuteAboutTheSame() {
    assertThat(lines.mayWrite("a")).isTrue();
    assertThat(lines.mayWrite("a")).isFalse();
    assertThat(lines.mayWrite("b")).isTrue();
    now.set(MINUTE_NANOS);
    assertThat(lines.mayWrite("a")).isTrue();
    assertThat(lines.mayWrite("a")).isFalse();
  }

  @Test
  void aHundredLinesAMinuteAboutAnything() {
    assertThat(IntStream.range(0, 1000).filter(lines::mayWrite)).hasSize(100);
    now.set(MINUTE_NANOS);
    assertThat(IntStream.range(0, 1000).filter(lines::mayWrite)).hasSize(100);
  }

  @Test
  void aCallerHasSixtyLinesAMinuteAndTheNextOneSaysHowManyWereLeftOut() {
    try (LogLines log = new LogLines(RareLinesTest.class)) {
      refuse("ann", 1000);
      refuse("bob", 1);
      assertThat(log.warnings()).hasSize(61);
      now.set(MINUTE_NANOS);
      refuse("bob", 1);
      assertThat(log.warnings().subList(61, 63))
          .containsExactly(
              "ann: 940 similar lines of the last minute were left out", "refused to bob");
      refuse("ann", 60);
      assertThat(Collections.frequency(log.warnings(), "refused to ann")).isEqualTo(120);
    }
  }

  @Test
  void whatWasLeftOutIsSaidThoughNobodyIsRefusedAnyMore() {
    try (LogLines log = new LogLines(RareLinesTest.class)) {
      refuse("ann", 61);
      callers.tick();
      assertThat(log.warnings()).hasSize(60);
      now.set(MINUTE_NANOS);
      callers.tick();
      callers.tick();
      assertThat(log.warnings())
          .hasSize(61)
          .endsWith("ann: 1 similar lines of the last minute were left out");
    }
  }

  @Test
  void whatManyAddressesFillIsBoundedAndNotMissedByWhoHasLoggedIn() {
    try (LogLines log = new LogLines(RareLinesTest.class)) {
      IntStream.range(0, 100_000).forEach(i -> refuse(address(i), 2));
      refuse("ann", 1000);
      assertThat(log.warnings()).hasSize(660);
      now.set(MINUTE_NANOS);
      callers.tick();
      assertThat(log.warnings().subList(660, log.warnings().size()))
          .containsExactlyInAnyOrder(
              "others: 199400 similar lines of the last minute were left out",
              "ann: 940 similar lines of the last minute were left out");
    }
  }

  @Test
  void noMoreCallersAreRememberedThanThereIsRoomFor() {
    try (LogLines log = new LogLines(RareLinesTest.class)) {
      IntStream.range(0, 10_010).forEach(i -> refuse("caller " + i, 1));
      assertThat(log.warnings()).hasSize(10_000);
      now.set(MINUTE_NANOS);
      callers.tick();
      assertThat(log.warnings())
          .endsWith("others: 10 similar lines of the last minute were left out");
    }
  }
}

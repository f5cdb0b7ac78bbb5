package io.rmigate.gateway.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.tunnel.Ack;
import io.rmigate.protocol.tunnel.Clean;
import io.rmigate.protocol.tunnel.Close;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Credit;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.DgcAck;
import io.rmigate.protocol.tunnel.Dirty;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.Grant;
import io.rmigate.protocol.tunnel.Heartbeat;
import io.rmigate.protocol.tunnel.HeartbeatAck;
import io.rmigate.protocol.tunnel.Lookup;
import io.rmigate.protocol.tunnel.Open;
import io.rmigate.protocol.tunnel.RegistryName;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** By a clock that moves when it is told to. */
class WorkLimiterTest {
  private static final int PER_SECOND = 1_000;
  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final EndpointId SERVER = new EndpointId("rmi.example", 1099);

  private long now;
  private final WorkLimiter chores = new WorkLimiter(PER_SECOND, () -> now);

  @Test
  void aSecondsWorthMayComeAtOnceAndNoMore() {
    assertThat(chores.asked(PER_SECOND)).isZero();
    assertThat(chores.asked(1)).isEqualTo(SECOND / PER_SECOND);
  }

  @Test
  void aFloodIsReadNoFasterThanTheNumberSays() {
    long read = 0;
    while (now < 60 * SECOND) {
      now += chores.asked(100);
      read += 100;
    }
    assertThat(read).isBetween(60L * PER_SECOND, 61L * PER_SECOND + 100);
  }

  @Test
  void whoHasRestedMayAskAgain() {
    long rest = chores.asked(3 * PER_SECOND);
    assertThat(rest).isEqualTo(2 * SECOND);
    now += rest;
    assertThat(chores.asked(1)).isPositive();
    now += SECOND;
    assertThat(chores.asked(1)).isZero();
  }

  @Test
  void whoAsksForNothingNeverRests() {
    assertThat(chores.asked(100 * PER_SECOND)).isPositive();
    assertThat(chores.asked(0)).isZero();
  }

  @Test
  void theLogHearsOfItOnceAMinute() {
    assertThat(chores.mayWriteLine()).isTrue();
    now += 59 * SECOND;
    assertThat(chores.mayWriteLine()).isFalse();
    now += SECOND;
    assertThat(chores.mayWriteLine()).isTrue();
  }

  @Test
  void objectsCountAndWhatCarriesCallsDoesNot() {
    assertThat(
            WorkLimiter.of(
                new Dirty(0, SERVER, List.of(ObjIdentifier.DGC, ObjIdentifier.REGISTRY))))
        .isEqualTo(3);
    assertThat(WorkLimiter.of(new Clean(SERVER, List.of(ObjIdentifier.DGC)))).isEqualTo(2);
    assertThat(WorkLimiter.of(new Grant(SERVER, List.of(ObjIdentifier.DGC), new byte[60])))
        .isEqualTo(2);
    assertThat(
            List.of(
                new DgcAck(SERVER, new byte[14]),
                new Heartbeat(1),
                new Open(1, "rmi.example", 1099, Duration.ZERO, Duration.ZERO)))
        .allMatch(frame -> WorkLimiter.of(frame) == 1);
    assertThat(
            List.of(
                new Data(1, true, new byte[100]),
                new Credit(1, 256),
                new Ack(100),
                new HeartbeatAck(1),
                new Close(1, CloseCause.DONE)))
        .allMatch(frame -> WorkLimiter.of(frame) == 0);
    assertThat(WorkLimiter.of(new Credit(1, 255))).as("crumbs").isEqualTo(1);
  }

  @Test
  void aLookupThatInsistsOnTheRegistryCountsAsTheCallThatItIs() {
    RegistryName name = new RegistryName(SERVER, "Hello");
    assertThat(WorkLimiter.of(new Lookup(1, false, name))).isEqualTo(1);
    assertThat(WorkLimiter.of(new Lookup(1, true, name))).isEqualTo(10);
  }

  @Test
  void manyFramesThatDoNothingAreAChoreAndThoseThatCarryCallsAreNone() {
    PendingWork counted = new PendingWork();
    for (int i = 0; i < 10 * WorkLimiter.SLIGHT_FRAMES; i++) {
      counted.onFrame(new Data(1, true, new byte[41]));
    }
    assertThat(counted.take()).isZero();
    for (Frame slight :
        List.of(
            new Ack(0),
            new HeartbeatAck(1),
            new Credit(1, 1_000),
            new Data(1, false, new byte[0]),
            new Data(1, false, new byte[40]))) {
      for (int i = 0; i < 10 * WorkLimiter.SLIGHT_FRAMES; i++) {
        counted.onFrame(slight);
      }
      assertThat(counted.take()).as(slight.type().name()).isEqualTo(10);
    }
  }
}

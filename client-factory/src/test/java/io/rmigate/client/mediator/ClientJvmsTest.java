package io.rmigate.client.mediator;

import static io.rmigate.client.mediator.HeldReferences.Keeper.GATEWAY;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.VmIdentifier;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What several JVMs hold at the same time, each with sequence numbers of its own. */
class ClientJvmsTest {
  private static final EndpointId HERE = new EndpointId("a.example", 1);
  private static final ObjIdentifier X = new ObjIdentifier(10, 1, 2, (short) 3);
  private static final ObjIdentifier Y = new ObjIdentifier(11, 1, 2, (short) 3);
  private static final VmIdentifier ANN = vm(1);
  private static final VmIdentifier BOB = vm(2);
  private static final Duration TERM = Duration.ofSeconds(10);

  private final ClientJvms jvms = new ClientJvms();

  private static VmIdentifier vm(int number) {
    return new VmIdentifier(1, number, 2, (short) 3);
  }

  private void take(VmIdentifier vm, long sequence, long seconds, ObjIdentifier... objects) {
    jvms.dirty(
        vm, HERE, GATEWAY, List.of(objects), sequence, Duration.ofSeconds(seconds).toNanos());
  }

  private List<ObjIdentifier> drop(VmIdentifier vm, long sequence, ObjIdentifier... objects) {
    return jvms.clean(vm, HERE, List.of(objects), sequence, false, 0);
  }

  @Test
  void whatOneDropsStaysWhileAnotherHoldsIt() {
    take(ANN, 1, 0, X, Y);
    take(BOB, 1, 0, X);
    assertThat(drop(ANN, 2, X, Y)).containsExactly(Y);
    assertThat(jvms.allKeptByGateway()).containsEntry(HERE, List.of(X));
    assertThat(drop(BOB, 2, X)).containsExactly(X);
    assertThat(jvms.allKeptByGateway()).isEmpty();
  }

  @Test
  void cleanOfOneThatHoldsNothingTakesNothingFromOthers() {
    take(ANN, 1, 0, X);
    assertThat(drop(BOB, 100, X)).isEmpty();
    assertThat(jvms.allKeptByGateway()).containsEntry(HERE, List.of(X));
  }

  @Test
  void sequenceNumbersOfOneSayNothingOfAnother() {
    take(ANN, 1000, 0, X);
    take(BOB, 1, 0, X);
    drop(ANN, 1001, X);
    assertThat(drop(BOB, 2, X)).containsExactly(X);
  }

  @Test
  void whatTwoHoldIsDeclaredOnceAndCountsTwice() {
    take(ANN, 1, 0, X, Y);
    take(BOB, 1, 0, Y, X);
    assertThat(jvms.allKeptByGateway().get(HERE)).containsExactlyInAnyOrder(X, Y);
    assertThat(jvms.keptByGateway()).isEqualTo(4);
  }

  @Test
  void deathOfOneReleasesWhatItAloneHeld() {
    take(ANN, 1, 0, X, Y);
    take(BOB, 1, 5, X);
    assertThat(jvms.giveUp(Duration.ofSeconds(10).toNanos(), TERM)).isEmpty();
    assertThat(jvms.giveUp(Duration.ofSeconds(11).toNanos(), TERM))
        .containsOnlyKeys(HERE)
        .containsEntry(HERE, List.of(Y));
    assertThat(jvms.know(ANN)).isFalse();
    assertThat(jvms.giveUp(Duration.ofSeconds(16).toNanos(), TERM)).containsEntry(HERE, List.of(X));
    assertThat(jvms.keptByGateway()).isZero();
  }

  @Test
  void renewalWithoutObjectsKeepsAlive() {
    take(ANN, 1, 0, X);
    take(ANN, 2, 9);
    assertThat(jvms.giveUp(Duration.ofSeconds(15).toNanos(), TERM)).isEmpty();
    assertThat(jvms.know(ANN)).isTrue();
  }

  @Test
  void thoseThatDieTogetherReleaseEachObjectOnce() {
    take(ANN, 1, 0, X);
    take(BOB, 1, 0, X);
    assertThat(jvms.giveUp(Duration.ofSeconds(11).toNanos(), TERM)).containsEntry(HERE, List.of(X));
  }

  @Test
  void identitiesThatAreMadeUpAreBounded() {
    for (int i = 0; i < ClientJvms.MOST_JVMS; i++) {
      assertThat(jvms.areTooMany()).isFalse();
      take(vm(i), 1, 0, X);
    }
    assertThat(jvms.areTooMany()).isTrue();
  }
}

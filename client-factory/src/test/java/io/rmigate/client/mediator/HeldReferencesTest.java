package io.rmigate.client.mediator;

import static io.rmigate.client.mediator.HeldReferences.Keeper.GATEWAY;
import static io.rmigate.client.mediator.HeldReferences.Keeper.JVM;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules of JRMP.md 5.2, as the JVM's calls may come on several threads. */
class HeldReferencesTest {
  private static final EndpointId HERE = new EndpointId("a.example", 1);
  private static final EndpointId THERE = new EndpointId("b.example", 1);
  private static final ObjIdentifier X = new ObjIdentifier(10, 1, 2, (short) 3);
  private static final ObjIdentifier Y = new ObjIdentifier(11, 1, 2, (short) 3);

  private final HeldReferences held = new HeldReferences();

  @Test
  void whatIsDirtiedIsHeldUntilItIsCleaned() {
    assertThat(held.dirty(HERE, GATEWAY, List.of(X, Y), 1)).containsExactly(X, Y);
    assertThat(held.clean(HERE, List.of(X), 2, false)).containsExactly(X);
    assertThat(held.allKeptByGateway()).containsOnlyKeys(HERE).containsEntry(HERE, List.of(Y));
    assertThat(held.keptByGateway()).isEqualTo(1);
  }

  @Test
  void aCleanThatIsLateDoesNotCount() {
    held.dirty(HERE, GATEWAY, List.of(X), 5);
    assertThat(held.clean(HERE, List.of(X), 4, false)).isEmpty();
    assertThat(held.keptByGateway()).isEqualTo(1);
    assertThat(held.clean(HERE, List.of(X), 5, false)).containsExactly(X); // not smaller
  }

  @Test
  void aDirtyThatIsLateDoesNotCount() {
    held.dirty(HERE, GATEWAY, List.of(X), 5);
    assertThat(held.dirty(HERE, GATEWAY, List.of(X), 5)).isEmpty();
    assertThat(held.dirty(HERE, GATEWAY, List.of(X), 6)).containsExactly(X);
    assertThat(held.keptByGateway()).isEqualTo(1);
  }

  @Test
  void aStrongCleanOvertakesItsDirty() {
    assertThat(held.clean(HERE, List.of(X), 7, true)).isEmpty();
    assertThat(held.dirty(HERE, GATEWAY, List.of(X), 6)).isEmpty();
    assertThat(held.dirty(HERE, GATEWAY, List.of(X), 8)).containsExactly(X);
  }

  @Test
  void aCleanOfWhatWasNeverHeldDoesNothing() {
    assertThat(held.clean(HERE, List.of(X), 1, false)).isEmpty();
    assertThat(held.allKeptByGateway()).isEmpty();
    assertThat(held.dirty(HERE, GATEWAY, List.of(X), 1)).containsExactly(X);
  }

  @Test
  void theSameObjectAtTwoEndpointsIsTwoReferences() {
    held.dirty(HERE, GATEWAY, List.of(X), 1);
    held.dirty(THERE, GATEWAY, List.of(X), 2);
    held.clean(HERE, List.of(X), 3, false);
    assertThat(held.allKeptByGateway()).containsOnlyKeys(THERE);
  }

  @Test
  void strongCleansAreRememberedInBoundedNumber() {
    held.clean(HERE, List.of(X), 100, true);
    for (int i = 0; i < HeldReferences.MAX_STRONG_CLEANS; i++) {
      held.clean(HERE, List.of(new ObjIdentifier(1000 + i, 0, 0, (short) 0)), 100, true);
    }
    assertThat(held.dirty(HERE, GATEWAY, List.of(X), 99)).containsExactly(X);
  }

  @Test
  void whoKeepsTheLeaseStaysAsItIsWhileSomethingIsHeldThere() {
    held.dirty(HERE, JVM, List.of(X), 1);
    held.dirty(HERE, GATEWAY, List.of(Y), 2);
    assertThat(held.keeper(HERE)).contains(JVM);
    held.clean(HERE, List.of(X), 3, false);
    assertThat(held.keeper(HERE)).contains(JVM);
    held.clean(HERE, List.of(Y), 4, false);
    assertThat(held.keeper(HERE)).isEmpty();
    held.dirty(HERE, GATEWAY, List.of(Y), 5);
    assertThat(held.keeper(HERE)).contains(GATEWAY);
  }

  @Test
  void whatTheJvmKeepsItselfIsNoneOfTheGateways() {
    held.dirty(HERE, JVM, List.of(X), 1);
    held.dirty(THERE, GATEWAY, List.of(X, Y), 2);
    assertThat(held.keptByGateway()).isEqualTo(2);
    assertThat(held.allKeptByGateway()).containsOnlyKeys(THERE);
    held.clean(HERE, List.of(X), 3, false);
    assertThat(held.keptByGateway()).isEqualTo(2);
  }

  @Test
  void aRenewalHoldsNothing() {
    held.dirty(HERE, GATEWAY, List.of(), 1);
    assertThat(held.keeper(HERE)).isEmpty();
  }
}

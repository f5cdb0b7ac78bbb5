package io.rmigate.client.mediator;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.UniqueIdentifier;
import io.rmigate.protocol.jrmp.message.LiveReference;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long a server keeps alive by itself what it has returned. */
class PinnedReferencesTest {
  private static final EndpointId HERE = new EndpointId("a.example", 1);
  private static final UniqueIdentifier FIRST = new UniqueIdentifier(1, 2, (short) 3);
  private static final UniqueIdentifier SECOND = new UniqueIdentifier(1, 2, (short) 4);

  private final PinnedReferences pinned = new PinnedReferences();

  @Test
  void whatWasReturnedIsPinnedUntilItsReturnIsAcknowledged() {
    pinned.add(FIRST, reference(1), 0);
    pinned.add(FIRST, reference(2), 0);
    assertThat(pinned.contain(HERE, List.of(object(1), object(2)), 0)).isTrue();
    pinned.forget(FIRST);
    assertThat(pinned.contain(HERE, List.of(object(1)), 0)).isFalse();
    assertThat(pinned.contain(HERE, List.of(object(2)), 0)).isFalse();
  }

  @Test
  void allOfADirtyMustBePinned() {
    pinned.add(FIRST, reference(1), 0);
    assertThat(pinned.contain(HERE, List.of(object(1), object(2)), 0)).isFalse();
    assertThat(pinned.contain(HERE, List.of(), 0)).isTrue();
  }

  @Test
  void aReferenceThatCameTwiceIsPinnedByTheOtherReturn() {
    pinned.add(FIRST, reference(1), 0);
    pinned.add(FIRST, reference(1), 0); // told twice
    pinned.add(SECOND, reference(1), 0);
    pinned.forget(FIRST);
    assertThat(pinned.contain(HERE, List.of(object(1)), 0)).isTrue();
    pinned.forget(SECOND);
    assertThat(pinned.contain(HERE, List.of(object(1)), 0)).isFalse();
  }

  @Test
  void withoutAnAcknowledgementItIsForgottenBeforeTheServerDoes() {
    long last = PinnedReferences.LASTS.toNanos();
    pinned.add(FIRST, reference(1), 0);
    assertThat(pinned.contain(HERE, List.of(object(1)), last)).isTrue();
    assertThat(pinned.contain(HERE, List.of(object(1)), last + 1)).isFalse();
  }

  @Test
  void theOldestGiveWayWhenThereAreTooMany() {
    pinned.add(FIRST, reference(0), 0);
    for (int i = 1; i <= PinnedReferences.MAX; i++) {
      pinned.add(SECOND, reference(i), 0);
    }
    assertThat(pinned.contain(HERE, List.of(object(0)), 0)).isFalse();
    assertThat(pinned.contain(HERE, List.of(object(PinnedReferences.MAX)), 0)).isTrue();
  }

  private static ObjIdentifier object(int number) {
    return new ObjIdentifier(100 + number, 1, 2, (short) 3);
  }

  private static LiveReference reference(int number) {
    return new LiveReference(
        HERE.host(), HERE.port(), object(number), LiveReference.UNICAST_REF, false, true);
  }
}

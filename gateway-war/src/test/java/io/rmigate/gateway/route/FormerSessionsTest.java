package io.rmigate.gateway.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.quota.Quota;
import io.rmigate.gateway.quota.Share;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What ended sessions held, and for how long that is known. */
class FormerSessionsTest {
  private static final EndpointId HERE = new EndpointId("inside.example", 1);

  private final AtomicLong nanos = new AtomicLong();
  private final FormerSessions former = new FormerSessions(nanos::get);
  private final Share room = new Share(Quota.of(100));

  private static ObjIdentifier object(int number) {
    return new ObjIdentifier(number, 1, 2, (short) 3);
  }

  /** One that has held that object. */
  private boolean endOneWith(int number) {
    ReceivedReferences received = new ReceivedReferences(new LearnedEndpoints(), former, room);
    received.add(HERE, object(number));
    return former.ended(received.handOver());
  }

  private boolean isKnown(int number) {
    return former.given(object(number), HERE, host -> false).isPresent();
  }

  @Test
  void whatIsHeldAtTheEndIsKnownForAWhile() {
    assertThat(endOneWith(1)).isTrue();
    assertThat(isKnown(1)).isTrue();
    assertThat(isKnown(2)).isFalse();
    assertThat(former.given(object(1), new EndpointId("inside.example", 2), host -> false))
        .isEmpty();
    assertThat(former.weight()).isOne();

    nanos.addAndGet(FormerSessions.MEMORY.toNanos());
    assertThat(isKnown(1)).isFalse();
    assertThat(former.weight()).isZero();
  }

  @Test
  void whatWasLetGoIsNot() {
    ReceivedReferences received = new ReceivedReferences(new LearnedEndpoints(), former, room);
    received.add(HERE, object(1));
    assertThat(received.drop(object(1), HERE, host -> false)).contains(HERE);
    assertThat(former.ended(received.handOver())).isFalse();
    assertThat(isKnown(1)).isFalse();
  }

  /** A stub may name its server by an address that stands for the name it was given by. */
  @Test
  void whatWasLetGoByAnotherNameIsNotEither() {
    EndpointId address = new EndpointId("10.0.0.1", 1);
    ReceivedReferences received = new ReceivedReferences(new LearnedEndpoints(), former, room);
    received.add(HERE, object(1));
    assertThat(received.hold(object(1), address, host -> false)).contains(HERE);
    assertThat(received.drop(object(1), address, host -> false)).contains(HERE);
    assertThat(received.handOver().count()).isZero();
  }

  @Test
  void onlyTheLatestCount() {
    for (int i = 0; i <= 64; i++) {
      endOneWith(i);
    }
    assertThat(isKnown(0)).isFalse();
    assertThat(isKnown(1)).isTrue();
    assertThat(isKnown(64)).isTrue();
  }

  /** Who shows the same grants in each of many sessions. */
  @Test
  void allSessionsTogetherKnowOfNoMoreThanTheyMayHold() {
    ReceivedReferences first = new ReceivedReferences(new LearnedEndpoints(), former, room);
    ReceivedReferences second = new ReceivedReferences(new LearnedEndpoints(), former, room);
    for (int i = 0; i < 60; i++) {
      assertThat(first.add(HERE, object(i))).isTrue();
      assertThat(first.add(HERE, object(i))).as("known already").isTrue();
    }
    for (int i = 0; i < 60; i++) {
      assertThat(second.add(HERE, object(i))).as("object %d", i).isEqualTo(i < 40);
    }

    first.drop(object(7), HERE, host -> false);
    assertThat(second.add(HERE, object(50))).isTrue();
    assertThat(second.add(HERE, object(51))).isFalse();

    first.handOver();
    assertThat(first.add(HERE, object(70))).as("nothing reads it any more").isTrue();
    for (int i = 0; i < 100; i++) {
      assertThat(second.add(HERE, object(i))).isTrue();
    }
    assertThat(second.add(HERE, object(100))).isFalse();
    assertThat(second.handOver().count()).isEqualTo(100);
  }
}

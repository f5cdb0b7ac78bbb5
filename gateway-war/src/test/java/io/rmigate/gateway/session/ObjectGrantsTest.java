package io.rmigate.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.tunnel.Grant;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which objects are granted, and when. */
class ObjectGrantsTest {
  private static final EndpointId HERE = new EndpointId("inside.example", 1);
  private static final EndpointId THERE = new EndpointId("there.example", 2);
  private static final Duration LIFETIME = Duration.ofHours(24);

  private final ObjectGrants grants = new ObjectGrants(System::nanoTime);
  private final Set<EndpointId> listed = new HashSet<>();

  private final ObjectGrants.Sealing sealing =
      new ObjectGrants.Sealing() {
        @Override
        public boolean isNeeded(EndpointId endpoint) {
          return !listed.contains(endpoint);
        }

        @Override
        public Optional<Grant> seal(EndpointId endpoint, List<ObjIdentifier> objects) {
          return Optional.of(new Grant(endpoint, objects, new byte[60]));
        }

        @Override
        public Duration lifetime() {
          return LIFETIME;
        }
      };

  private static List<ObjIdentifier> objects(int from, int count) {
    return IntStream.range(from, from + count)
        .mapToObj(i -> new ObjIdentifier(i, 1, 2, (short) i))
        .toList();
  }

  private void hold(EndpointId at, List<ObjIdentifier> objects) {
    objects.forEach(object -> grants.held(at, object));
  }

  private List<Grant> sealIn(Duration time) {
    return grants.seal(sealing, System.nanoTime() + time.toNanos(), 256, false);
  }

  private List<Grant> sealSoon() {
    return sealIn(ObjectGrants.PATIENCE.plusSeconds(1));
  }

  @Test
  void whatIsHeldForAWhileIsGrantedOnceAndTogether() {
    hold(HERE, objects(0, 3));
    hold(THERE, objects(3, 1));
    hold(new EndpointId("Inside.Example", 1), objects(4, 1));

    assertThat(sealIn(Duration.ZERO)).isEmpty();
    List<Grant> sealed = sealSoon();

    assertThat(sealed).extracting(Grant::endpoint).containsExactly(HERE, THERE);
    assertThat(sealed.get(0).objects()).hasSize(4);
    hold(HERE, objects(0, 3)); // declared again
    assertThat(sealSoon()).isEmpty();
  }

  @Test
  void whatIsHeldForHalfAsLongIsGrantedAlong() {
    hold(HERE, objects(0, 1));
    long first = System.nanoTime();
    while (System.nanoTime() - first < 1_000_000) {
      Thread.onSpinWait();
    }
    hold(HERE, objects(1, 1));
    hold(THERE, objects(2, 1));

    List<Grant> sealed = grants.seal(sealing, first + ObjectGrants.PATIENCE.toNanos(), 256, false);

    assertThat(sealed).extracting(Grant::endpoint).containsExactly(HERE);
    assertThat(sealed.get(0).objects()).hasSize(2);
  }

  @Test
  void whatComesAndGoesIsNotGranted() {
    hold(HERE, objects(0, 1000));
    objects(0, 1000).forEach(object -> grants.dropped(HERE, object));
    assertThat(sealSoon()).isEmpty();
  }

  @Test
  void whoLeavesIsGivenAllAtOnce() {
    hold(HERE, objects(0, 1000));
    List<Grant> sealed = grants.seal(sealing, System.nanoTime(), Integer.MAX_VALUE, true);
    assertThat(sealed).hasSize(3).allMatch(grant -> grant.objects().size() <= Grant.MAX_OBJECTS);
  }

  @Test
  void whatThereIsNoRoomForComesTheNextTime() {
    hold(HERE, objects(0, 3 * Grant.MAX_OBJECTS));
    long soon = System.nanoTime() + ObjectGrants.PATIENCE.plusSeconds(1).toNanos();
    assertThat(grants.seal(sealing, soon, 2, false)).hasSize(2);
    assertThat(grants.seal(sealing, soon, 2, false)).hasSize(1);
  }

  @Test
  void whatIsStillHeldIsGrantedAnewWhenHalfTheTimeIsOver() {
    hold(HERE, objects(0, 500));
    assertThat(sealSoon()).hasSize(2);
    objects(0, 450).forEach(object -> grants.dropped(HERE, object));

    assertThat(sealIn(LIFETIME.dividedBy(2).minusMinutes(1))).isEmpty();
    List<Grant> renewed = sealIn(LIFETIME.dividedBy(2).plusMinutes(1));

    assertThat(renewed).hasSize(1);
    assertThat(renewed.get(0).objects()).hasSameElementsAs(objects(450, 50));
  }

  @Test
  void anotherKeySealsAllAnewAtOnce() {
    hold(HERE, objects(0, 2));
    assertThat(sealSoon()).hasSize(1);
    grants.sealAnew();
    assertThat(sealIn(Duration.ofSeconds(1))).hasSize(1);
  }

  @Test
  void whatWasShownIsGrantedAnewOnlyWhenItIsHeldAndItsTimeIsHalfOver() {
    long due = System.nanoTime() + Duration.ofHours(1).toNanos();
    grants.shown(HERE, objects(0, 3), due);
    hold(HERE, objects(0, 2));

    assertThat(sealSoon()).isEmpty();
    List<Grant> renewed = sealIn(Duration.ofHours(2));

    assertThat(renewed).hasSize(1);
    assertThat(renewed.get(0).objects()).hasSameElementsAs(objects(0, 2));
  }

  @Test
  void whatPolicyDoesWithoutIsGrantedWhenItDoesNotAnyMore() {
    listed.add(HERE);
    hold(HERE, objects(0, 2));
    assertThat(sealSoon()).isEmpty();
    listed.clear();
    assertThat(sealSoon()).isEmpty(); // the grants have not been reconsidered
    grants.reconsider();
    assertThat(sealSoon()).hasSize(1);
  }
}

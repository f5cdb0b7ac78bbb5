package io.rmigate.client.mediator;

import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.client.config.LeaseMode;
import io.rmigate.protocol.NamePatterns;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.VmIdentifier;
import io.rmigate.protocol.jrmp.message.DgcCall;
import io.rmigate.protocol.tunnel.Dirty;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Goodbye;
import io.rmigate.protocol.tunnel.Grant;
import io.rmigate.protocol.tunnel.Heartbeat;
import io.rmigate.protocol.tunnel.HeartbeatAck;
import io.rmigate.testing.FakeGateway;
import io.rmigate.testing.FakeGateway.Connection;
import io.rmigate.testing.NamedThreads;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the gateway has sealed, kept and shown again (PROTOCOL.md, section 12). */
@Timeout(180)
class GrantsTest {
  private static final ObjIdentifier OBJECT = new ObjIdentifier(1, 2, 3, (short) 4);

  private static EndpointId endpoint(int number) {
    return new EndpointId("inside.example", number);
  }

  private static Grant grant(int number) {
    return new Grant(endpoint(number), List.of(), new byte[] {(byte) number});
  }

  /** What is kept, by itself. */
  @Nested
  class Kept {
    private final Map<EndpointId, Set<ObjIdentifier>> held = new HashMap<>();
    private final AtomicLong now = new AtomicLong();
    private final Grants grants = new Grants(() -> Optional.of(held), now::get);

    private void later() {
      now.addAndGet(Grants.FRESH_NANOS + 1);
    }

    /** Fills what there is room for with grants of endpoints from 1 on. */
    private void fill() {
      for (int i = 1; i <= Grants.MAX_GRANTS; i++) {
        grants.keep(grant(i));
      }
      assertThat(grants.all()).hasSize(Grants.MAX_GRANTS);
    }

    @Test
    void theLatestOfOneEndpointReplacesTheOneBefore() {
      Grant first = grant(1);
      Grant latest = new Grant(new EndpointId("INSIDE.example", 1), List.of(), new byte[9]);
      grants.keep(first);
      grants.keep(latest);
      assertThat(grants.all()).containsExactly(latest);
    }

    @Test
    void anObjectsGrantStandsBesideThatOfItsEndpoint() {
      Grant whole = grant(1);
      Grant one = new Grant(endpoint(1), List.of(OBJECT), new byte[1]);
      grants.keep(whole);
      grants.keep(one);
      assertThat(grants.all()).containsExactly(whole, one);
    }

    @Test
    void thereIsABoundAndTheEldestGoFirst() {
      fill();
      grants.keep(grant(5000));
      assertThat(grants.all().size()).isBetween(Grants.MAX_GRANTS / 2, Grants.MAX_GRANTS);
      assertThat(grants.all().get(0).endpoint()).isNotEqualTo(endpoint(1));
      assertThat(grants.all()).last().extracting(Grant::endpoint).isEqualTo(endpoint(5000));
    }

    @Test
    void bytesAreBoundedToo() {
      byte[] large = new byte[Grant.MAX_SEALED_BYTES];
      int bytesOfOne = large.length + 44 * Grant.MAX_OBJECTS;
      for (int i = 1; i <= 2 * Grants.MAX_BYTES / bytesOfOne; i++) {
        grants.keep(new Grant(endpoint(i), objects(i, Grant.MAX_OBJECTS), large));
      }
      assertThat(grants.all().size()).isLessThan(Grants.MAX_BYTES / bytesOfOne);
      assertThat(grants.all()).isNotEmpty();
    }

    @Test
    void objectsOfOneGrantAreKeptWhileOneOfThemIsHeld() {
      Grant batch = new Grant(endpoint(7), objects(0, 3), new byte[1]);
      grants.keep(batch);
      held.put(endpoint(7), Set.of(objects(0, 3).get(2)));
      later();
      fillOthers();
      assertThat(grants.all()).contains(batch);

      held.put(endpoint(7), Set.of(OBJECT));
      fillOthers();
      assertThat(grants.all()).doesNotContain(batch);
    }

    @Test
    void whatALaterGrantIsAboutNeedsNoEarlierOne() {
      List<ObjIdentifier> three = objects(0, 3);
      Grant old = new Grant(endpoint(7), three, new byte[1]);
      Grant renewed = new Grant(endpoint(7), three.subList(1, 3), new byte[2]);
      grants.keep(old);
      grants.keep(renewed);
      held.put(endpoint(7), Set.copyOf(three.subList(1, 3)));
      later();
      fillOthers();
      assertThat(grants.all()).contains(renewed).doesNotContain(old);
    }

    @Test
    void oneThatALaterGrantDoesNotNameNeedsTheEarlierOneStill() {
      List<ObjIdentifier> three = objects(0, 3);
      Grant old = new Grant(endpoint(7), three, new byte[1]);
      Grant renewed = new Grant(endpoint(7), three.subList(1, 3), new byte[2]);
      grants.keep(old);
      grants.keep(renewed);
      held.put(endpoint(7), Set.copyOf(three));
      later();
      fillOthers();
      assertThat(grants.all()).contains(renewed, old);
    }

    /** As many objects as a gateway as shipped holds for a session, old and renewed. */
    @Test
    void allThatASessionMayHoldIsKept() {
      int most = 100_000;
      held.put(endpoint(7), Set.copyOf(objects(0, most)));
      for (int round = 0; round < 3; round++) {
        for (int i = 0; i < most; i += Grant.MAX_OBJECTS) {
          int shifted = Math.max(0, i - round);
          grants.keep(new Grant(endpoint(7), objects(shifted, Grant.MAX_OBJECTS), new byte[60]));
        }
        grants.keep(new Grant(endpoint(7), objects(most - 10, 10), new byte[60]));
      }
      later();
      fillOthers();
      assertThat(
              grants.all().stream()
                  .filter(grant -> grant.endpoint().equals(endpoint(7)))
                  .flatMap(grant -> grant.objects().stream())
                  .distinct()
                  .count())
          .isEqualTo(most);
    }

    private static List<ObjIdentifier> objects(int from, int count) {
      return IntStream.range(from, from + count)
          .mapToObj(i -> new ObjIdentifier(1000 + i, 2, 3, (short) 4))
          .toList();
    }

    /** More than there is room for, of what is not held. */
    private void fillOthers() {
      for (int i = 100; i <= 100 + Grants.MAX_GRANTS; i++) {
        grants.keep(grant(i));
      }
    }

    @Test
    void aFloodDoesNotWashAwayWhatIsHeld() {
      held.put(new EndpointId("Inside.Example", 7), Set.of(OBJECT));
      grants.keep(grant(7));
      for (int i = 100; i < 100 + 3 * Grants.MAX_GRANTS; i++) {
        grants.keep(grant(i));
      }
      assertThat(grants.all()).extracting(Grant::endpoint).contains(endpoint(7));
    }

    @Test
    void objectsThatComeAndGoDoNotWashAwayWhatIsHeldAtTheSameEndpoint() {
      Grant whole = grant(7);
      Grant one = new Grant(endpoint(7), List.of(OBJECT), new byte[1]);
      held.put(endpoint(7), Set.of(OBJECT));
      grants.keep(whole);
      grants.keep(one);
      for (int i = 0; i < 3 * Grants.MAX_GRANTS; i++) {
        ObjIdentifier passing = new ObjIdentifier(100 + i, 2, 3, (short) 4);
        grants.keep(new Grant(endpoint(7), List.of(passing), new byte[1]));
      }
      assertThat(grants.all()).contains(whole, one);
    }

    @Test
    void whatHasBeenDroppedLongAgoMakesRoomFirst() {
      held.put(endpoint(3), Set.of(OBJECT));
      fill();
      later();
      grants.keep(grant(5000));
      assertThat(grants.all())
          .extracting(Grant::endpoint)
          .containsExactly(endpoint(3), endpoint(5000));
    }

    @Test
    void whenNobodyKnowsWhatIsHeldTheLatestStay() {
      Grants blind = new Grants(Optional::empty, now::get);
      for (int i = 1; i <= Grants.MAX_GRANTS; i++) {
        blind.keep(grant(i));
      }
      later();
      blind.keep(grant(5000));
      assertThat(blind.all().size()).isBetween(Grants.MAX_GRANTS / 2, Grants.MAX_GRANTS);
    }
  }

  /** What is shown, by an agent. */
  @Nested
  class Shown {
    private final FakeGateway gateway = new FakeGateway();
    private MediatorAgent agent;
    private long sequence;

    private Connection start(LeaseMode mode, Feature... taken) throws Exception {
      gateway.welcome(FakeGateway.welcomeTaking(Map.of(), taken));
      agent =
          new MediatorAgent(
              gateway,
              MediatorSettings.of(Duration.ofSeconds(2), Map.of("client", "test"), Compression.OFF)
                  .mediating(new LookupSettings(false, NamePatterns.NONE, List.of()), mode));
      agent.ensureLink();
      return gateway.accept();
    }

    @AfterEach
    void nothingIsLeft() {
      agent.close();
      NamedThreads.awaitEnd("rmigate-");
    }

    /** The agent has taken the frames when it has answered what comes behind them. */
    private void say(Connection link, Grant... grants) throws InterruptedException {
      link.send(grants);
      link.send(new Heartbeat(7));
      link.expect(HeartbeatAck.class);
    }

    private void hold(EndpointId endpoint, ObjIdentifier object) throws IOException {
      byte[] call =
          new DgcCall.Dirty(
                  List.of(object),
                  ++sequence,
                  Optional.of(new VmIdentifier(1, 2, 3, (short) 4)),
                  600_000)
              .encode();
      agent.leases().begin(endpoint.host(), endpoint.port(), call, call.length);
    }

    @Test
    void aNewSessionBeginsWithThemBeforeItDeclaresAnything() throws Exception {
      Connection first = start(LeaseMode.ON, Feature.GRANTS, Feature.LEASES);
      assertThat(first.hello().features()).contains(Feature.GRANTS);
      assertThat(first.unexpected()).isEmpty();
      Grant one = grant(1);
      Grant two = new Grant(endpoint(1), List.of(OBJECT), new byte[] {4, 5});
      say(first, one, two);
      hold(endpoint(1), OBJECT);
      first.cut();

      Connection second = gateway.accept();

      assertSame(second.expect(Grant.class), one);
      assertSame(second.expect(Grant.class), two);
      assertThat(second.expect(Dirty.class)).isEqualTo(new Dirty(0, endpoint(1), List.of(OBJECT)));
      assertThat(second.unexpected()).isEmpty();
    }

    private static void assertSame(Grant shown, Grant given) {
      assertThat(shown.endpoint()).isEqualTo(given.endpoint());
      assertThat(shown.objects()).isEqualTo(given.objects());
      assertThat(shown.sealed()).isEqualTo(given.sealed());
    }

    @Test
    void aGatewayThatTakesNoneIsShownNone() throws Exception {
      Connection first = start(LeaseMode.ON, Feature.GRANTS, Feature.LEASES);
      say(first, grant(1));
      hold(endpoint(1), OBJECT);
      gateway.welcome(FakeGateway.welcomeTaking(Map.of(), Feature.LEASES));
      first.cut();

      gateway.accept().expect(Dirty.class);
    }

    @Test
    void aGatewayThatSendsOneWithoutTheFeatureViolatesTheProtocol() throws Exception {
      Connection first = start(LeaseMode.ON, Feature.LEASES);
      first.send(grant(1));
      assertThat(first.expect(Goodbye.class).text()).contains("GRANT");
    }

    @Test
    void theyAreShownWithoutLeasesTooSinceStubsAreCalledThere() throws Exception {
      Connection first = start(LeaseMode.OFF, Feature.GRANTS);
      Grant one = grant(1);
      say(first, one);
      first.cut();
      await().until(() -> agent.currentLink().isEmpty());
      agent.ensureLink();

      assertSame(gateway.accept().expect(Grant.class), one);
    }
  }
}

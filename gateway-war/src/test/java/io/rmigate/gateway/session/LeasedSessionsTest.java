package io.rmigate.gateway.session;

import static io.rmigate.gateway.session.TestAgent.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.lease.LeaseSettings;
import io.rmigate.gateway.lease.LeaseView;
import io.rmigate.gateway.lease.SessionLeases;
import io.rmigate.gateway.relay.address.AddressRule;
import io.rmigate.gateway.relay.address.Target;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.LiveReference;
import io.rmigate.protocol.jrmp.message.LiveReferenceScan;
import io.rmigate.protocol.tunnel.Clean;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Dirty;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Goodbye;
import io.rmigate.protocol.tunnel.Hello;
import io.rmigate.protocol.tunnel.Leased;
import io.rmigate.protocol.tunnel.Leaving;
import io.rmigate.protocol.tunnel.SessionToken;
import io.rmigate.protocol.tunnel.Tunnel;
import io.rmigate.protocol.tunnel.Welcome;
import java.io.ByteArrayOutputStream;
import java.io.ObjectOutputStream;
import java.lang.ref.WeakReference;
import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.server.UnicastRemoteObject;
import java.rmi.server.Unreferenced;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Sessions whose agents leave their leases to the gateway, at a server of the running JDK. */
class LeasedSessionsTest {
  private static final Duration LONG = Duration.ofHours(1);

  @RegisterExtension final SessionBed bed = new SessionBed();

  /** Counts how often the server is told that it is unreferenced. */
  private static final class Exported implements Remote, Unreferenced {
    final AtomicInteger unreferenced = new AtomicInteger();

    @Override
    public void unreferenced() {
      unreferenced.incrementAndGet();
    }
  }

  private final Exported object = new Exported();
  private EndpointId endpoint;
  private ObjIdentifier id;

  @BeforeEach
  void export() throws Exception {
    grace(LONG);
    Remote stub = UnicastRemoteObject.exportObject(object, 0);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(stub);
    }
    LiveReference reference = LiveReferenceScan.scan(bytes.toByteArray(), 0, bytes.size()).get(0);
    endpoint = new EndpointId("127.0.0.1", reference.port());
    id = reference.object();
  }

  @AfterEach
  void unexport() throws NoSuchObjectException {
    UnicastRemoteObject.unexportObject(object, true);
  }

  private void grace(Duration grace) {
    bed.leaseSettings(new LeaseSettings(true, grace, 100, 10, Duration.ofSeconds(20)));
  }

  private TestAgent agent() {
    return greeted(bed.stranger());
  }

  private static TestAgent greeted(TestAgent agent) {
    agent.hello(Feature.LEASES);
    assertThat(agent.port().frames(Welcome.class).get(0).features())
        .containsExactly(Feature.LEASES);
    return agent;
  }

  private Dirty dirty() {
    return new Dirty(0, endpoint, List.of(id));
  }

  private int held() {
    return bed.leases().views().stream()
        .flatMap(view -> view.endpoints().stream())
        .mapToInt(LeaseView.Row::held)
        .sum();
  }

  private TestAgent agentThatHoldsIt() {
    TestAgent agent = agent();
    int before = held();
    agent.say(dirty());
    awaitThat(() -> held() == before + 1);
    return agent;
  }

  private void awaitUnreferenced() {
    awaitThat(() -> object.unreferenced.get() == 1);
    awaitThat(() -> bed.leases().views().isEmpty());
  }

  @Test
  void serverIsToldWhenTheAgentHasDroppedTheObject() {
    TestAgent agent = agentThatHoldsIt();
    assertThat(object.unreferenced).hasValue(0);

    agent.say(new Clean(endpoint, List.of(id)));

    awaitUnreferenced();
  }

  @Test
  void tableShowsWhatIsHeldWhere() {
    agentThatHoldsIt();

    LeaseView view = bed.registry().leaseTable().get(0);

    assertThat(view.state()).isEqualTo("LIVE");
    LeaseView.Row row = view.endpoints().get(0);
    assertThat(row.endpoint()).isEqualTo(endpoint.toString());
    assertThat(row.held()).isEqualTo(1);
    assertThat(row.inDoubt()).isZero();
    assertThat(row.grantedMillis()).isEqualTo(600_000); // what the JDK grants unless told otherwise
    assertThat(row.renewalInMillis()).isBetween(1L, 200_000L);
  }

  @Test
  void askedDirtyIsAnsweredWhenTheServerHasGrantedIt() {
    TestAgent agent = agent();

    agent.say(new Dirty(7, endpoint, List.of(id)));

    awaitThat(() -> !agent.port().frames(Leased.class).isEmpty());
    assertThat(agent.port().frames(Leased.class))
        .containsExactly(new Leased(7, Leased.Outcome.HELD, ""));
  }

  @Test
  void goodbyeReleasesAtOnce() {
    agentThatHoldsIt().say(new Goodbye(CloseCause.DONE, ""));

    awaitUnreferenced();
  }

  @Test
  void linkThatEndsAfterLeavingReleasesAtOnce() {
    TestAgent agent = agentThatHoldsIt();
    agent.say(new Leaving());
    assertThat(held()).isEqualTo(1);

    agent.session().onTransportClosed();

    awaitUnreferenced();
  }

  @Test
  void lostLinkReleasesAfterTheGrace() {
    grace(Duration.ofMillis(300));

    agentThatHoldsIt().session().onTransportClosed();

    awaitUnreferenced();
  }

  @Test
  void anAgentThatCannotResumeIsToldForHowLongItsLeasesAreKept() {
    bed.settings(bed.settings().withGrace(Duration.ofMillis(300)));
    assertThat(agent().welcome().properties()).containsEntry(Welcome.GRACE, "300");
  }

  @Test
  void leasesKeepNothingOfTheirSessionDuringTheGrace() {
    TestAgent lost =
        greeted(new TestAgent(bed.registry(), RecordingLinkPort.Sends.INLINE, SessionBed.ANN));
    lost.say(dirty());
    awaitThat(() -> held() == 1);
    WeakReference<TunnelSession> session = new WeakReference<>(lost.session());
    lost.session().onTransportClosed();
    lost = null;

    awaitThat(
        () -> {
          System.gc();
          return session.get() == null;
        });
    assertThat(held()).isEqualTo(1);
  }

  @Test
  void agentThatComesBackHoldsItWithoutAGap() {
    grace(Duration.ofMillis(300));
    TestAgent lost = agentThatHoldsIt();
    TestAgent back = agentThatHoldsIt();
    lost.session().onTransportClosed();
    awaitThat(() -> held() == 1);
    assertThat(object.unreferenced).hasValue(0);

    back.say(new Goodbye(CloseCause.DONE, ""));

    awaitUnreferenced();
  }

  @Test
  void whatAnAdministratorEndsIsReleasedAndTheSessionGoesOn() throws Exception {
    TestAgent agent = agentThatHoldsIt();
    String session = agent.session().id();
    assertThat(bed.registry().endLeases("another", Optional.empty())).isFalse();
    assertThat(bed.registry().endLeases(session, Optional.of("elsewhere:1"))).isFalse();
    assertThat(object.unreferenced).hasValue(0);

    assertThat(bed.registry().endLeases(session, Optional.of(endpoint.toString()))).isTrue();

    awaitUnreferenced();
    awaitThat(() -> bed.leases().views().isEmpty());
    agent.say(dirty());
    awaitThat(() -> held() == 1);
  }

  @Test
  void drainedGatewayReleasesNothing() throws Exception {
    agentThatHoldsIt();

    bed.registry().drain(Duration.ZERO);

    awaitThat(() -> bed.leases().views().isEmpty());
    SessionLeases other =
        bed.leases().open("other", (where, which) -> Optional.of(target()), leased -> {});
    other.dirty(dirty());
    awaitThat(() -> held() == 1);
    other.release();
    awaitThat(() -> bed.leases().views().isEmpty());
    assertThat(object.unreferenced).hasValue(0); // the one that was left to its lease holds it
  }

  private Target target() {
    return new Target(endpoint.host(), endpoint.port(), AddressRule.NAMED, LONG, LONG);
  }

  @Test
  void endpointThatIsNotPermittedIsNotCalled() {
    bed.policy(new TargetGrant(Set.of("*"), List.of("127.0.0.1:1"), Set.of()));
    TestAgent agent = agent();

    agent.say(new Dirty(7, endpoint, List.of(id)));

    awaitThat(() -> !agent.port().frames(Leased.class).isEmpty());
    assertThat(agent.port().frames(Leased.class).get(0).outcome())
        .isEqualTo(Leased.Outcome.REFUSED);
    assertThat(held()).isZero();
  }

  @Test
  void gatewayThatHoldsNoLeasesDoesNotTakeTheFeature() {
    bed.leaseSettings(new LeaseSettings(false, LONG, 100, 10, Duration.ofSeconds(20)));
    TestAgent agent = bed.stranger();
    agent.say(
        new Hello(
            Tunnel.VERSION,
            Tunnel.VERSION,
            Set.of(Feature.LEASES),
            SessionToken.NONE,
            0,
            TestAgent.CREDIT,
            List.of(Welcome.IDENTITY),
            Map.of()));
    agent.awaitWelcome();

    assertThat(agent.port().frames(Welcome.class).get(0).features()).isEmpty();
  }
}

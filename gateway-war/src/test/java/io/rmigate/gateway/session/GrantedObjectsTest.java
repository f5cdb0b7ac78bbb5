package io.rmigate.gateway.session;

import static io.rmigate.gateway.session.TestAgent.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.lease.LeaseView;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.rule.Entry;
import io.rmigate.gateway.relay.FailurePolicy;
import io.rmigate.gateway.relay.ScriptedRmiServer;
import io.rmigate.gateway.route.ReceivedReferences;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.VmIdentifier;
import io.rmigate.protocol.jrmp.message.DgcCall;
import io.rmigate.protocol.tunnel.Clean;
import io.rmigate.protocol.tunnel.Dirty;
import io.rmigate.protocol.tunnel.Drain;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.FrameOutput;
import io.rmigate.protocol.tunnel.Grant;
import io.rmigate.protocol.tunnel.RefusalReason;
import java.rmi.Remote;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What it costs that a session may call only what it was given, and that the next one may, too. */
class GrantedObjectsTest {
  private static final ObjIdentifier GIVER = new ObjIdentifier(5, 1, 2, (short) 3);

  /** Everybody may call it who reaches its server. */
  private static final ObjIdentifier WELL_KNOWN = new ObjIdentifier(77, 0, 0, (short) 0);

  private static final int MANY = 1000;

  /** In a frame of leases. */
  private static final int AT_ONCE = 500;

  @RegisterExtension final SessionBed bed = new SessionBed();

  private final Random random = new Random(22);

  /** A real server, because it is told of leases; its objects do not matter. */
  private LedgerServer ledger;

  private ScriptedRmiServer giver;
  private EndpointId endpoint;
  private int streams = 1;

  @BeforeEach
  void serve() throws Exception {
    ledger = bed.ledger();
    endpoint = new EndpointId("127.0.0.1", ledger.port());
    giver = bed.scripted(FailurePolicy.NONE);
    bed.policy(
        new TargetGrant(
            Set.of("*"),
            List.of("127.0.0.1:*"),
            SessionBed.READING,
            Entry.enforced().classes(Ledger.class.getName()).withoutSayingWhichObjects().rules()));
  }

  private TestAgent agent() {
    TestAgent agent = bed.stranger();
    agent.hello(Feature.GRANTS, Feature.LEASES);
    return agent;
  }

  /** An agent that has looked up the object that gives others. */
  private TestAgent introduced() throws Exception {
    TestAgent agent = agent();
    introduce(agent);
    return agent;
  }

  private void introduce(TestAgent agent) throws Exception {
    byte[] stub = Calls.returned(Calls.stub(Ledger.class, "127.0.0.1", giver.port(), GIVER));
    giver.answer(stub);
    call(agent, Calls.lookup("giver"), stub.length);
  }

  private void call(TestAgent agent, byte[] call, int replyBytes) {
    int stream = streams += 2;
    agent.open(stream, giver.port());
    agent.call(stream, call, replyBytes);
    agent.close(stream);
  }

  /** As a JDK makes them. */
  private List<ObjIdentifier> give(TestAgent agent, int count) throws Exception {
    List<ObjIdentifier> objects =
        IntStream.range(0, count)
            .mapToObj(i -> new ObjIdentifier(random.nextLong(), 7, 1_700_000, (short) i))
            .toList();
    List<Remote> stubs = new ArrayList<>();
    for (ObjIdentifier object : objects) {
      stubs.add(Calls.stub(Ledger.class, "127.0.0.1", ledger.port(), object));
    }
    byte[] reply = Calls.returned(stubs);
    giver.answer(reply);
    call(agent, Calls.method(GIVER, "give()V", out -> {}), reply.length);
    return objects;
  }

  private void hold(TestAgent agent, List<ObjIdentifier> objects) {
    for (int i = 0; i < objects.size(); i += AT_ONCE) {
      agent.say(new Dirty(0, endpoint, objects.subList(i, Math.min(objects.size(), i + AT_ONCE))));
    }
  }

  private int held() {
    return bed.leases().views().stream()
        .flatMap(view -> view.endpoints().stream())
        .mapToInt(LeaseView.Row::held)
        .sum();
  }

  /** Those of objects; one of an endpoint may come besides. */
  private static List<Grant> grants(TestAgent agent) {
    return agent.port().frames(Grant.class).stream()
        .filter(grant -> !grant.objects().isEmpty())
        .toList();
  }

  private static int granted(TestAgent agent) {
    return grants(agent).stream().mapToInt(grant -> grant.objects().size()).sum();
  }

  private void assertCalled(TestAgent agent, ObjIdentifier object) {
    int stream = streams += 2;
    agent.open(stream, ledger.port());
    agent.request(stream, Calls.method(object, "tick()V", out -> {}));
    awaitThat(() -> agent.port().dataBytes(stream) > 0); // that there is no such object
    agent.close(stream);
  }

  private void assertRefused(TestAgent agent, ObjIdentifier object) {
    int stream = streams += 2;
    agent.open(stream, ledger.port());
    agent.request(stream, Calls.method(object, "tick()V", out -> {}));
    agent.expectRefused(stream, 1, RefusalReason.OPERATION_NOT_PERMITTED);
  }

  private void take(TestAgent agent, int stream, ObjIdentifier object) {
    giver.answer(ScriptedRmiServer.VOID_RETURN);
    agent.open(stream, giver.port());
    Remote stub = Calls.stub(Ledger.class, endpoint.host(), endpoint.port(), object);
    agent.request(
        stream, Calls.method(WELL_KNOWN, "take(Ljava/lang/Object;)V", o -> o.writeObject(stub)));
  }

  private void assertNamed(TestAgent agent, ObjIdentifier object) {
    int stream = streams += 2;
    take(agent, stream, object);
    agent.awaitData(stream, ScriptedRmiServer.VOID_RETURN.length);
    agent.close(stream);
  }

  private void assertNotNamed(TestAgent agent, ObjIdentifier object) {
    int stream = streams += 2;
    take(agent, stream, object);
    agent.expectRefused(stream, 1, RefusalReason.OPERATION_NOT_PERMITTED);
  }

  /** By their endpoint alone objects of others could be named, too. */
  @Test
  void whatASessionHoldsTheNextOneMayNameInArgumentsByItsGrant() throws Exception {
    TestAgent agent = introduced();
    List<ObjIdentifier> objects = give(agent, 2);
    List<ObjIdentifier> held = List.of(objects.get(0), WELL_KNOWN);
    giveWellKnown(agent);
    hold(agent, held);
    bed.pass(ObjectGrants.PATIENCE);
    awaitThat(() -> granted(agent) == held.size());
    for (ObjIdentifier object : List.of(objects.get(0), objects.get(1), WELL_KNOWN)) {
      assertNamed(agent, object);
    }

    TestAgent next = agent();
    next.say(grants(agent).toArray(Frame[]::new));

    assertNamed(next, objects.get(0));
    assertNamed(next, WELL_KNOWN);
    assertNotNamed(next, objects.get(1));
    TestAgent other = agent();
    assertNotNamed(other, objects.get(0));
    assertNotNamed(other, WELL_KNOWN);
    ledger.dropConnections();
  }

  private void giveWellKnown(TestAgent agent) throws Exception {
    byte[] reply =
        Calls.returned(Calls.stub(Ledger.class, endpoint.host(), endpoint.port(), WELL_KNOWN));
    giver.answer(reply);
    call(agent, Calls.method(GIVER, "give()V", out -> {}), reply.length);
  }

  @Test
  void objectsThatComeAndGoCostNothing() throws Exception {
    TestAgent agent = introduced();
    List<ObjIdentifier> passing = give(agent, MANY);
    List<ObjIdentifier> last = give(agent, 1);
    hold(agent, passing);
    for (int i = 0; i < MANY; i += AT_ONCE) {
      agent.say(new Clean(endpoint, passing.subList(i, i + AT_ONCE)));
    }
    hold(agent, last);

    bed.pass(ObjectGrants.PATIENCE);
    awaitThat(() -> granted(agent) > 0); // patience is over with all of them

    assertThat(grants(agent)).hasSize(1);
    assertThat(grants(agent).get(0).objects()).isEqualTo(last);
    ledger.dropConnections();
  }

  @Test
  void objectsThatAreHeldAreGrantedManyAtATime() throws Exception {
    TestAgent agent = introduced();
    List<ObjIdentifier> objects = give(agent, MANY);
    hold(agent, objects);

    bed.pass(ObjectGrants.PATIENCE);
    awaitThat(() -> granted(agent) == MANY);

    FrameOutput bytes = new FrameOutput(0);
    grants(agent).forEach(bytes::append);
    assertThat(grants(agent)).hasSize(3);
    assertThat(bytes.size()).isBetween(10 * MANY, 10 * MANY + 3 * 120);

    TestAgent next = agent();
    next.say(grants(agent).toArray(Frame[]::new));
    hold(next, objects);
    awaitThat(() -> held() == 2 * MANY);
    assertCalled(next, objects.get(0));
    assertCalled(next, objects.get(MANY - 1));
    assertRefused(agent(), objects.get(0));
    ledger.dropConnections();
  }

  @Test
  void whatIsHeldIsNotForgottenHoweverMuchIsGiven() throws Exception {
    TestAgent agent = introduced();
    List<ObjIdentifier> held = give(agent, 1);
    List<ObjIdentifier> dropped = give(agent, 1);
    hold(agent, held);
    for (int i = 0; i <= ReceivedReferences.MAX_OBJECTS; i += MANY) {
      give(agent, MANY);
    }

    assertRefused(agent, dropped.get(0));
    assertCalled(agent, held.get(0));
    hold(agent, held); // as a JVM declares again what it holds
    assertThat(bed.refused("lease-target")).isZero();
    ledger.dropConnections();
  }

  @Test
  void whoIsAskedToGoIsGrantedWhatItHoldsAtOnce() throws Exception {
    TestAgent agent = introduced();
    List<ObjIdentifier> objects = give(agent, 2);
    hold(agent, objects);

    agent.session().drain(Duration.ofMinutes(1));

    List<Frame> frames = agent.port().frames();
    assertThat(granted(agent)).isEqualTo(2);
    assertThat(frames.indexOf(grants(agent).get(0)))
        .isLessThan(frames.indexOf(agent.port().frames(Drain.class).get(0)));
    ledger.dropConnections();
  }

  /**
   * As after a cut when nothing waits for links that are lost, or of a sidecar that starts anew.
   */
  @Test
  void whatAnEndedSessionHeldTheNextOneMayGoOnWithThoughItsGrantWasLost() throws Exception {
    TestAgent agent = introduced();
    List<ObjIdentifier> objects = give(agent, 2);
    hold(agent, objects.subList(0, 1));
    assertThat(granted(agent)).isZero();
    agent.session().onTransportClosed();
    awaitThat(() -> bed.registry().sessions().isEmpty());

    TestAgent next = agent();
    hold(next, objects.subList(0, 1));
    assertCalled(next, objects.get(0));
    assertNamed(next, objects.get(0));
    assertRefused(next, objects.get(1));
    assertNotNamed(next, objects.get(1));

    TestAgent bob = bed.stranger(new Principal("bob", Principal.Scheme.BASIC));
    bob.hello(Feature.GRANTS, Feature.LEASES);
    assertRefused(bob, objects.get(0));
    ledger.dropConnections();
  }

  /** As of a sidecar that was killed: it sent no GOODBYE. */
  @Test
  void whatASessionHoldsThatWaitsForItsAgentTheNextOneMayGoOnWithUntilItIsBack() throws Exception {
    TestAgent agent = bed.stranger();
    agent.hello(Feature.GRANTS, Feature.LEASES, Feature.RESUME);
    introduce(agent);
    List<ObjIdentifier> objects = give(agent, 2);
    hold(agent, objects.subList(0, 1));
    agent.session().onTransportClosed();
    assertThat(bed.registry().sessions()).hasSize(1);

    TestAgent next = agent();
    assertCalled(next, objects.get(0));
    assertNamed(next, objects.get(0));
    assertRefused(next, objects.get(1));
    TestAgent bob = bed.stranger(new Principal("bob", Principal.Scheme.BASIC));
    bob.hello(Feature.GRANTS, Feature.LEASES);
    assertRefused(bob, objects.get(0));

    TestAgent back = bed.stranger();
    back.resume(agent.welcome().session(), agent.port().received());
    back.awaitWelcome();
    assertRefused(next, objects.get(0));
    ledger.dropConnections();
  }

  /** After a restart, say, with another key. */
  @Test
  void whoDeclaresOrCallsAnyNumberOfStaleObjectsIsNotLockedOut() throws Exception {
    TestAgent agent = introduced();
    List<ObjIdentifier> stale =
        IntStream.range(0, 2 * MANY)
            .mapToObj(i -> new ObjIdentifier(random.nextLong(), 7, 1_700_000, (short) i))
            .toList();
    hold(agent, stale);
    int stream = streams += 2;
    agent.open(stream, ledger.port());
    for (int i = 0; i < stale.size(); i++) {
      agent.request(stream, Calls.method(stale.get(i), "tick()V", out -> {}));
      agent.awaitRefused(stream, i);
    }

    assertThat(bed.leases().views()).isEmpty();
    assertThat(ledger.accepted()).isZero();
    assertCalled(agent, give(agent, 1).get(0));
    ledger.dropConnections();
  }

  /** Agents that leave leases to their JVMs. */
  @Test
  void whatAJvmHoldsByCallsOfItsOwnIsGrantedToo() throws Exception {
    TestAgent agent = introduced();
    List<ObjIdentifier> objects = give(agent, 3);
    int stream = streams += 2;
    agent.open(stream, ledger.port());
    long before = agent.port().dataBytes(stream);
    agent.request(stream, ReceivedLeasesTest.dirty(objects.get(0), objects.get(1)));
    awaitThat(() -> agent.port().dataBytes(stream) > before);

    bed.pass(ObjectGrants.PATIENCE);
    awaitThat(() -> granted(agent) == 2);

    assertThat(grants(agent)).hasSize(1);
    ledger.dropConnections();
  }

  /** As of two JVMs behind a sidecar. */
  @Test
  void whatOneJvmLetsGoIsGrantedWhileAnotherHoldsIt() throws Exception {
    TestAgent agent = introduced();
    List<ObjIdentifier> objects = give(agent, 1);
    VmIdentifier one = new VmIdentifier(1, 2, 3, (short) 4);
    VmIdentifier other = new VmIdentifier(5, 2, 3, (short) 4);
    int stream = streams += 2;
    agent.open(stream, ledger.port());
    collect(agent, stream, new DgcCall.Dirty(objects, 1, Optional.of(one), 60_000));
    collect(agent, stream, new DgcCall.Dirty(objects, 1, Optional.of(other), 60_000));
    collect(agent, stream, new DgcCall.Clean(objects, 2, one, false));

    bed.pass(ObjectGrants.PATIENCE);
    awaitThat(() -> granted(agent) == 1);
    ledger.dropConnections();
  }

  private static void collect(TestAgent agent, int stream, DgcCall call) {
    long before = agent.port().dataBytes(stream);
    agent.request(stream, call.encode());
    awaitThat(() -> agent.port().dataBytes(stream) > before);
  }
}

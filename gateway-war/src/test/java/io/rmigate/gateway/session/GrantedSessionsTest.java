package io.rmigate.gateway.session;

import static io.rmigate.gateway.session.TestAgent.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.grant.GrantKeys;
import io.rmigate.gateway.grant.GrantSettings;
import io.rmigate.gateway.lease.LeaseView;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.rule.Entry;
import io.rmigate.gateway.relay.ScriptedRmiServer;
import io.rmigate.gateway.route.EndpointMapping;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.LiveReference;
import io.rmigate.protocol.jrmp.message.RegistryOperation;
import io.rmigate.protocol.tunnel.Bound;
import io.rmigate.protocol.tunnel.DgcAck;
import io.rmigate.protocol.tunnel.Dirty;
import io.rmigate.protocol.tunnel.Drain;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.FrameType;
import io.rmigate.protocol.tunnel.Goodbye;
import io.rmigate.protocol.tunnel.Grant;
import io.rmigate.protocol.tunnel.Leased;
import io.rmigate.protocol.tunnel.Lookup;
import io.rmigate.protocol.tunnel.RefusalReason;
import io.rmigate.protocol.tunnel.RegistryName;
import io.rmigate.testing.LoopbackPort;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.rmi.Remote;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RemoteObject;
import java.rmi.server.UnicastRemoteObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a session has learnt and the next one is shown (PROTOCOL.md, section 12). */
class GrantedSessionsTest {
  private static final int VOID_RETURN = ScriptedRmiServer.VOID_RETURN.length;
  private static final String NOWHERE = "127.0.1.1";
  private static final ObjIdentifier ONE = new ObjIdentifier(11, 1, 2, (short) 3);
  private static final ObjIdentifier TWO = new ObjIdentifier(22, 1, 2, (short) 3);
  private static final Principal BOB = new Principal("bob", Principal.Scheme.BASIC);

  @RegisterExtension final SessionBed bed = new SessionBed();

  private LearningServer registry;
  private LearningServer otherRegistry;
  private ScriptedRmiServer server;
  private int streams = 101;

  @BeforeEach
  void startServers() throws Exception {
    registry = new LearningServer(loopback(1));
    otherRegistry = new LearningServer(loopback(2));
    server = bed.scripted(loopback(1), 0);
    allow("127.0.0.1:" + registry.port(), "127.0.0.2:" + otherRegistry.port());
  }

  @AfterEach
  void stopRegistries() throws Exception {
    registry.close();
    otherRegistry.close();
  }

  private void allow(String... patterns) {
    bed.policy(new TargetGrant(Set.of("*"), List.of(patterns), SessionBed.READING));
  }

  private TestAgent agent() {
    return greeted(bed.stranger());
  }

  private static TestAgent greeted(TestAgent agent) {
    agent.hello(Feature.GRANTS, Feature.LEASES, Feature.LOOKUPS);
    return agent;
  }

  private void lookUp(TestAgent agent, LearningServer at, String as, String host, ObjIdentifier id)
      throws Exception {
    at.replyWith(host, server.port(), id);
    int stream = streams += 2;
    agent.open(stream, as, at.port());
    agent.call(stream, Calls.lookup("any"), at.replyLength());
    agent.close(stream);
  }

  /** What a session is given when a registry has named the server by this host. */
  private Grant granted(String host) throws Exception {
    TestAgent agent = agent();
    lookUp(agent, registry, "127.0.0.1", host, ONE);
    return awaitGrants(agent, 1).get(0);
  }

  private static List<Grant> awaitGrants(TestAgent agent, int count) {
    awaitThat(() -> grants(agent).size() >= count);
    assertThat(grants(agent)).hasSize(count);
    return grants(agent);
  }

  private static List<Grant> grants(TestAgent agent) {
    return agent.port().frames(Grant.class);
  }

  private static byte[] call(ObjIdentifier object) {
    return Calls.method(object, "v()V", out -> {});
  }

  private void assertRefused(TestAgent agent, String host) {
    int stream = streams += 2;
    agent.open(stream, host, server.port());
    agent.request(stream, call(ONE));
    assertThat(agent.awaitRefused(stream, 0).reason())
        .isEqualTo(RefusalReason.TARGET_NOT_PERMITTED);
    assertThat(agent.port().frames(Goodbye.class)).isEmpty();
  }

  private void assertReached(TestAgent agent, String host) {
    int stream = streams += 2;
    agent.open(stream, host, server.port());
    agent.call(stream, call(ONE), VOID_RETURN);
  }

  @ParameterizedTest
  @ValueSource(strings = {NOWHERE, "127.0.0.1", "no-such-host.invalid"})
  void whatTheNextSessionShowsItMayReach(String host) throws Exception {
    Grant grant = granted(host);
    assertThat(grant.endpoint()).isEqualTo(new EndpointId(host, server.port()));
    assertThat(grant.objects()).isEmpty();

    TestAgent next = agent();
    next.say(grant);

    assertReached(next, host);
    assertThat(bed.grantsAccepted()).isEqualTo(1);
    assertThat(bed.grantsSealed()).isEqualTo(1); // which is good for a while
    assertRefused(agent(), host); // who shows nothing has learnt nothing
  }

  @Test
  void whatHasBeenLearntIsGrantedOnce() throws Exception {
    TestAgent agent = agent();
    lookUp(agent, registry, "127.0.0.1", NOWHERE, ONE);
    awaitGrants(agent, 1);

    lookUp(agent, registry, "127.0.0.1", NOWHERE, ONE);
    lookUp(agent, registry, "127.0.0.1", NOWHERE, TWO);

    assertThat(grants(agent)).hasSize(1);
    assertThat(bed.grantsSealed()).isEqualTo(1);
  }

  @Test
  void whatPolicyPermitsByItselfNeedsNoGrantUntilItDoesNotAnyMore() throws Exception {
    String host = "127.0.0.1";
    bed.policy(
        new EndpointMapping(false, List.of()),
        new TargetGrant(Set.of("*"), List.of(host + ":*"), SessionBed.READING));
    TestAgent agent = agent();
    lookUp(agent, registry, host, host, ONE);
    lookUp(agent, registry, host, host, TWO);
    assertThat(bed.grantsSealed()).isZero();

    bed.policy(
        new EndpointMapping(false, List.of()),
        new TargetGrant(Set.of("*"), List.of(host + ":" + registry.port()), SessionBed.READING));

    Grant grant = awaitGrants(agent, 1).get(0);
    TestAgent next = agent();
    next.say(grant);
    assertReached(next, host);
  }

  @Test
  void leasesAndAcknowledgementsOfAGrantedEndpointGoWhereItIs() throws Exception {
    Remote object = new Remote() {};
    LiveReference reference = Calls.reference(UnicastRemoteObject.exportObject(object, 0));
    try {
      registry.replyWith(NOWHERE, reference.port(), reference.object());
      TestAgent agent = agent();
      agent.open(1, "127.0.0.1", registry.port());
      agent.call(1, Calls.lookup("any"), registry.replyLength());
      agent.close(1);
      Grant grant = awaitGrants(agent, 1).get(0);
      EndpointId endpoint = grant.endpoint();
      TestAgent next = agent();

      next.say(grant, new Dirty(7, endpoint, List.of(reference.object())));

      awaitThat(() -> !next.port().frames(Leased.class).isEmpty());
      assertThat(next.port().frames(Leased.class))
          .containsExactly(new Leased(7, Leased.Outcome.HELD, ""));
      assertThat(
              bed.leases().views().stream()
                  .flatMap(view -> view.endpoints().stream())
                  .mapToInt(LeaseView.Row::held)
                  .sum())
          .isEqualTo(1);
      next.say(new DgcAck(endpoint, new byte[14]));
      assertThat(bed.acknowledged()).isEqualTo(1);
      assertThat(bed.refused("lease-target")).isZero();

      agent()
          .say(
              new Dirty(0, endpoint, List.of(reference.object())),
              new DgcAck(endpoint, new byte[14]));
      assertThat(bed.acknowledged()).isEqualTo(1);
      assertThat(bed.refused("lease-target")).isEqualTo(2);
    } finally {
      bed.registry().close();
      UnicastRemoteObject.unexportObject(object, true);
    }
  }

  @Test
  void whatAWatchedNameTeachesIsGrantedBehindTheBinding() throws Exception {
    Registry real = LocateRegistry.createRegistry(0);
    Remote object = new Remote() {};
    try {
      real.rebind("object", UnicastRemoteObject.exportObject(object, LoopbackPort.free()));
      int port = Calls.reference(RemoteObject.toStub(real)).port();
      allow("127.0.0.1:" + port);
      TestAgent agent = agent();

      agent.say(
          new Lookup(1, false, new RegistryName(new EndpointId("127.0.0.1", port), "object")));

      Grant grant = awaitGrants(agent, 1).get(0);
      List<Frame> order = agent.port().frames();
      assertThat(order.indexOf(grant))
          .isEqualTo(order.indexOf(agent.port().frames(Bound.class).get(0)) + 1);
      TestAgent next = agent();
      next.say(grant);
      assertThat(bed.grantsAccepted()).isEqualTo(1);
    } finally {
      bed.registry().close();
      UnicastRemoteObject.unexportObject(real, true);
      UnicastRemoteObject.unexportObject(object, true);
    }
  }

  @Test
  void grantOfAnotherPrincipalIsIgnored() throws Exception {
    Grant grant = granted(NOWHERE);
    TestAgent bob = greeted(bed.stranger(BOB));
    bob.say(grant);
    assertRefused(bob, NOWHERE);
    assertThat(bed.refused("grant-forged")).isEqualTo(1);
    assertThat(bed.grantsAccepted()).isZero();
  }

  @Test
  void changedGrantIsIgnored() throws Exception {
    Grant grant = granted(NOWHERE);
    byte[] changed = grant.sealed().clone();
    changed[changed.length - 1] ^= 1;
    TestAgent next = agent();
    next.say(
        new Grant(grant.endpoint(), grant.objects(), changed),
        new Grant(new EndpointId("127.0.1.2", server.port()), List.of(), grant.sealed()));
    assertRefused(next, NOWHERE);
    assertRefused(next, "127.0.1.2");
    assertThat(bed.refused("grant-forged")).isEqualTo(2);
  }

  @Test
  void grantWhoseTimeIsOverIsIgnored() throws Exception {
    Grant grant = granted(NOWHERE);
    bed.grantClock().advance(GrantSettings.DEFAULTS.lifetime());
    TestAgent next = agent();
    next.say(grant);
    assertRefused(next, NOWHERE);
    assertThat(bed.refused("grant-expired")).isEqualTo(1);
  }

  @Test
  void grantIsIgnoredWhenPolicyNoLongerLetsItBeLearnt() throws Exception {
    Grant grant = granted(NOWHERE);

    allow("127.0.0.1:" + otherRegistry.port()); // another registry there
    TestAgent next = agent();
    next.say(grant);
    assertRefused(next, NOWHERE);

    bed.policy( // the registry, but not its names
        new TargetGrant(Set.of("*"), List.of("127.0.0.1:" + registry.port()), Set.of()));
    next.say(grant);
    assertRefused(next, NOWHERE);

    bed.policy( // for another principal
        new TargetGrant(
            Set.of("bob"), List.of("127.0.0.1:" + registry.port()), SessionBed.READING));
    next.say(grant);
    assertRefused(next, NOWHERE);
    assertThat(bed.refused("grant-policy")).isEqualTo(3);

    allow("127.0.0.1:" + registry.port());
    next.say(grant);
    assertReached(next, NOWHERE);
  }

  @Test
  void registryThatWasReachedElsewhereByTheMappingIsAskedOnlyWhileTheMappingSaysSo()
      throws Exception {
    EndpointMapping there =
        new EndpointMapping(
            true, List.of(new EndpointMapping.Rule("172.17.*", Optional.of("127.0.0.1"))));
    TargetGrant asNamed =
        new TargetGrant(Set.of("*"), List.of("172.17.0.9:" + registry.port()), SessionBed.READING);
    TargetGrant reached = new TargetGrant(Set.of("*"), List.of("127.0.0.1:1"), Set.of());
    bed.policy(there, asNamed, allowed("127.0.0.1:" + registry.port(), Set.of()), reached);
    TestAgent agent = agent();
    lookUp(agent, registry, "172.17.0.9", NOWHERE, ONE);
    Grant grant = awaitGrants(agent, 1).get(0);

    TestAgent next = agent();
    next.say(grant);
    assertReached(next, NOWHERE);

    bed.policy(EndpointMapping.DEFAULT, asNamed, allowed("127.0.0.1:" + registry.port(), Set.of()));
    TestAgent later = agent();
    later.say(grant);
    assertRefused(later, NOWHERE);
    assertThat(bed.refused("grant-policy")).isEqualTo(1);
  }

  private static TargetGrant allowed(String pattern, Set<RegistryOperation> operations) {
    return new TargetGrant(Set.of("*"), List.of(pattern), operations);
  }

  @Test
  void newKeyReplacesWhatAnOldOneHasSealed() throws Exception {
    TestAgent agent = agent();
    lookUp(agent, registry, "127.0.0.1", NOWHERE, ONE);
    Grant old = awaitGrants(agent, 1).get(0);
    GrantKeys young = GrantKeys.random();

    bed.grantKeys(
        new GrantKeys(
            Stream.concat(young.all().stream(), bed.grantKeys().all().stream()).toList()));

    Grant renewed = awaitGrants(agent, 2).get(1); // in the session that has learnt it
    assertThat(keyOf(renewed)).isNotEqualTo(keyOf(old));
    TestAgent next = agent();
    next.say(old);
    assertReached(next, NOWHERE);
    assertThat(keyOf(awaitGrants(next, 1).get(0))).isEqualTo(keyOf(renewed)); // and shown it
    bed.grantKeys(young);
    TestAgent later = agent();
    later.say(old);
    assertRefused(later, NOWHERE);
    assertThat(bed.refused("grant-key")).isEqualTo(1);
    later.say(renewed);
    assertReached(later, NOWHERE);
  }

  private static int keyOf(Grant grant) {
    return ByteBuffer.wrap(grant.sealed()).getInt(1);
  }

  @Test
  void grantIsRenewedWhenHalfOfItsTimeIsOver() throws Exception {
    bed.grantSettings(new GrantSettings(Optional.empty(), Duration.ofSeconds(4)));
    TestAgent agent = agent();
    lookUp(agent, registry, "127.0.0.1", NOWHERE, ONE);
    awaitThat(() -> !grants(agent).isEmpty());
    bed.pass(Duration.ofSeconds(2));
    awaitThat(() -> grants(agent).size() >= 2);
    TestAgent next = agent();
    Grant latest = grants(agent).get(grants(agent).size() - 1);
    next.say(latest);
    awaitThat(() -> !grants(next).isEmpty()); // a session that shows it has it renewed as well
  }

  @Test
  void serversOfOneEndpointAreToldApartByWhatIsGrantedOfTheirObjects() throws Exception {
    List<ScriptedRmiServer> both = bed.scriptedAtOnePort(loopback(1), loopback(2));
    server = both.get(0);
    ScriptedRmiServer two = both.get(1);
    TestAgent agent = agent();
    lookUp(agent, registry, "127.0.0.1", NOWHERE, ONE);
    awaitGrants(agent, 1); // one server only: all calls go there
    lookUp(agent, otherRegistry, "127.0.0.2", NOWHERE, TWO);
    List<Grant> all = awaitGrants(agent, 4);
    assertThat(all.stream().map(Grant::objects))
        .containsExactly(List.of(), List.of(), List.of(ONE), List.of(TWO));
    ObjIdentifier three = new ObjIdentifier(33, 1, 2, (short) 3);
    lookUp(agent, otherRegistry, "127.0.0.2", NOWHERE, three);
    lookUp(agent, otherRegistry, "127.0.0.2", NOWHERE, three);
    all = awaitGrants(agent, 5);

    TestAgent next = agent();
    next.say(all.get(3), all.get(1), all.get(2), all.get(4));
    next.open(1, NOWHERE, server.port());
    next.call(1, call(ONE), VOID_RETURN);
    next.call(1, call(TWO), VOID_RETURN);
    next.call(1, call(three), VOID_RETURN);

    assertThat(server.received()).isEqualTo(call(ONE));
    assertThat(two.received()).isEqualTo(Calls.join(call(TWO), call(three)));
    assertThat(bed.grantsAccepted()).isEqualTo(4);
  }

  @Test
  void objectsThatASessionWasGivenAreTheNextOnesToo() throws Exception {
    LedgerServer ledger = bed.ledger();
    bed.policy(
        new TargetGrant(
            Set.of("*"),
            List.of("127.0.0.1:" + ledger.port()),
            SessionBed.READING,
            Entry.enforced().classes(Ledger.class.getName()).withoutSayingWhichObjects().rules()));
    TestAgent agent = agent();
    agent.open(1, ledger.port());
    agent.request(1, Calls.lookup("ledger"));
    awaitThat(() -> agent.port().dataBytes(1) > VOID_RETURN);
    LiveReference reference = ledger.ledgerReference();
    agent.say(
        new Dirty(0, new EndpointId(reference.host(), reference.port()), List.of(ledger.object())));
    bed.pass(ObjectGrants.PATIENCE);
    awaitThat(() -> grants(agent).stream().anyMatch(grant -> isOf(grant, ledger)));
    Frame[] all = grants(agent).toArray(Frame[]::new);

    TestAgent next = agent();
    next.say(all);
    TestAgent bob = greeted(bed.stranger(BOB));
    bob.say(all);

    for (TestAgent other : List.of(bob, agent())) {
      other.open(1, ledger.port());
      other.request(1, ledger.tick());
      assertThat(other.awaitRefused(1, 0).reason())
          .isEqualTo(RefusalReason.OPERATION_NOT_PERMITTED);
    }
    next.open(1, ledger.port());
    next.call(1, ledger.tick(), VOID_RETURN);
    assertThat(ledger.ticks()).isEqualTo(1);
    assertThat(bed.refused("grant-forged")).isEqualTo(all.length);
  }

  private static boolean isOf(Grant grant, LedgerServer ledger) {
    return grant.objects().equals(List.of(ledger.object()));
  }

  @Test
  void whatASessionMayNameInArgumentsTheNextOneMayToo() throws Exception {
    LedgerServer ledger = namedByGrant();
    byte[] take = ledger.take(out -> out.writeObject(ledger.stub()));
    TestAgent agent = agent();
    agent.open(1, ledger.port());
    agent.request(1, Calls.lookup("ledger"));
    awaitThat(() -> agent.port().dataBytes(1) > VOID_RETURN); // from here on the grant waits
    bed.pass(SessionGrants.PATIENCE);
    Grant grant = awaitGrants(agent, 1).get(0);

    TestAgent next = agent();
    next.say(grant);
    TestAgent other = agent();

    other.open(1, ledger.port());
    other.request(1, take);
    assertThat(other.awaitRefused(1, 0).reason()).isEqualTo(RefusalReason.OPERATION_NOT_PERMITTED);
    next.open(1, ledger.port());
    next.call(1, take, VOID_RETURN);
    assertThat(ledger.taken()).isEqualTo(1);
    ledger.dropConnections(); // its own, for the lease, would rest for 15 s
  }

  @Test
  void whatHasBeenNamedInAnArgumentIsGrantedWithThatCallsReturn() throws Exception {
    LedgerServer ledger = namedByGrant();
    byte[] take = ledger.take(out -> out.writeObject(ledger.stub()));
    TestAgent agent = agent();
    lookUp(agent, ledger);

    agent.open(3, ledger.port());
    agent.call(3, take, VOID_RETURN);
    agent.call(3, take, VOID_RETURN); // its Return comes behind what followed the first

    assertThat(grants(agent)).hasSize(1);
    ledger.dropConnections();
  }

  @Test
  void whoIsAskedToGoIsGrantedWhatHasWaited() throws Exception {
    LedgerServer ledger = namedByGrant();
    TestAgent agent = agent();
    lookUp(agent, ledger);

    bed.registry().drain(Duration.ZERO);

    List<Frame> order = agent.port().frames();
    assertThat(order.stream().filter(frame -> frame instanceof Grant || frame instanceof Drain))
        .extracting(Frame::type)
        .containsExactly(FrameType.GRANT, FrameType.DRAIN);
  }

  @Test
  void whatIsLearntByWhoWasAskedToGoDoesNotWait() throws Exception {
    LedgerServer ledger = namedByGrant();
    TestAgent agent = agent();
    agent.session().drain(Duration.ofMinutes(1));

    lookUp(agent, ledger);
    agent.open(3, ledger.port());
    agent.call(3, ledger.tick(), VOID_RETURN);

    assertThat(grants(agent)).hasSize(1);
  }

  /** On stream 1, to the end of the Return. */
  private static void lookUp(TestAgent agent, LedgerServer ledger) throws Exception {
    agent.open(1, ledger.port());
    agent.request(1, Calls.lookup("ledger"));
    awaitThat(() -> agent.port().data(1).length > 100);
  }

  /** Its endpoint may be called, and not be named, by a wildcard. */
  private LedgerServer namedByGrant() throws Exception {
    LedgerServer ledger = bed.ledger();
    bed.policy(
        new TargetGrant(
            Set.of("*"),
            List.of("127.0.0.1:*", ledger.ledgerReference().host() + ":*"),
            SessionBed.READING,
            Entry.enforced().classes(Ledger.class.getName()).rules()));
    return ledger;
  }

  @Test
  void noMoreGrantsAreLookedAtThanAnAgentKeeps() throws Exception {
    Grant good = granted(NOWHERE);
    TestAgent next = agent();
    Grant bad = new Grant(good.endpoint(), List.of(), new byte[Grant.MAX_SEALED_BYTES]);
    for (int i = 0; i < SessionGrants.MAX_SHOWN; i++) {
      next.say(bad);
    }
    next.say(good);
    assertRefused(next, NOWHERE);
    assertThat(bed.refused("grant-forged")).isEqualTo(SessionGrants.MAX_SHOWN);
    assertThat(bed.refused("grant-limit")).isEqualTo(1);
  }

  @Test
  void agentThatKnowsNoGrantsGetsNone() throws Exception {
    TestAgent agent = bed.agent();
    lookUp(agent, registry, "127.0.0.1", NOWHERE, ONE);
    assertReached(agent, NOWHERE);
    assertThat(grants(agent)).isEmpty();
    assertThat(bed.grantsSealed()).isZero();
  }

  /** 127.0.0.n. */
  private static InetAddress loopback(int n) throws UnknownHostException {
    return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) n});
  }
}

package io.rmigate.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.relay.FailurePolicy;
import io.rmigate.gateway.relay.ScriptedRmiServer;
import io.rmigate.gateway.route.EndpointMapping;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.VmIdentifier;
import io.rmigate.protocol.jrmp.message.DgcCall;
import io.rmigate.protocol.tunnel.RefusalReason;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Stubs that do not say where their server is. The registries here are reached as 127.0.0.1 and
 * 127.0.0.2; what stubs name is neither, and no server listens there.
 */
class MappedEndpointsTest {
  private static final int VOID_RETURN = 22;
  private static final String NOWHERE = "127.0.1.1";
  private static final ObjIdentifier ONE = new ObjIdentifier(11, 1, 2, (short) 3);
  private static final ObjIdentifier TWO = new ObjIdentifier(22, 1, 2, (short) 3);
  private static final ObjIdentifier THREE = new ObjIdentifier(33, 1, 2, (short) 3);

  @RegisterExtension final SessionBed bed = new SessionBed();

  private LearningServer registry;
  private LearningServer otherRegistry;

  @BeforeEach
  void startRegistries() throws Exception {
    registry = new LearningServer(loopback(1));
    otherRegistry = new LearningServer(loopback(2));
  }

  @AfterEach
  void stopRegistries() throws Exception {
    registry.close();
    otherRegistry.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {NOWHERE, "127.99.0.1", "0.0.0.0", "::", "box.localhost", "no-such-host.invalid"})
  void aServerThatDoesNotKnowItsNameIsReachedWhereItsRegistryIs(String host) throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    allowRegistriesOnly();
    TestAgent agent = bed.agent();
    lookUp(agent, 1, registry, host, server.port(), ONE);
    agent.open(3, host, server.port());
    agent.call(3, call(ONE), VOID_RETURN);
    agent.call(3, call(ONE), VOID_RETURN);
    assertThat(server.connections()).hasSize(1);
    assertThat(server.received()).isEqualTo(Calls.join(call(ONE), call(ONE)));
  }

  @Test
  void whatOneSessionHasLearntIsNotMappedInAnother() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    allowRegistriesOnly();
    lookUp(bed.agent(), 1, registry, NOWHERE, server.port(), ONE);
    TestAgent second = bed.agent();
    second.open(1, NOWHERE, server.port());
    second.request(1, call(ONE));
    second.expectRefused(1, 1, RefusalReason.TARGET_NOT_PERMITTED);
  }

  @ParameterizedTest
  @ValueSource(strings = {NOWHERE, "no-such-host.invalid"})
  void nothingIsMappedWhenThatIsSwitchedOff(String host) throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    bed.policy(new EndpointMapping(false, List.of()), registriesOnly());
    TestAgent agent = bed.agent();
    lookUp(agent, 1, registry, host, server.port(), ONE);
    agent.open(3, host, server.port());
    agent.request(3, call(ONE));
    assertThat(agent.awaitRefused(3, 0).reason())
        .isIn(RefusalReason.TARGET_NOT_PERMITTED, RefusalReason.UNKNOWN_HOST);
    assertThat(server.connections()).isEmpty();
  }

  @Test
  void aHostOnTheListIsReachedWhereTheRegistryIs() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    bed.policy(mapping("172.17.*", Optional.empty()), registriesOnly());
    TestAgent agent = bed.agent();
    lookUp(agent, 1, registry, "172.17.0.3", server.port(), ONE);
    agent.open(3, "172.17.0.3", server.port());
    agent.call(3, call(ONE), VOID_RETURN);
    assertThat(server.connections()).hasSize(1);
  }

  @Test
  void aHostOnTheListIsReachedAtItsOwnDestination() throws Exception {
    ScriptedRmiServer server = bed.scripted(loopback(3), 0);
    bed.policy(
        mapping("172.17.*", Optional.of("127.0.0.3")),
        registriesOnly(),
        new TargetGrant(Set.of("*"), List.of("127.0.0.3:1"), Set.of()));
    TestAgent agent = bed.agent();
    lookUp(agent, 1, registry, "172.17.0.3", server.port(), ONE);
    agent.open(3, "172.17.0.3", server.port());
    agent.request(3, call(ONE));
    // Loopback must be permitted by name, at this port too.
    agent.expectRefused(3, 1, RefusalReason.TARGET_NOT_PERMITTED);
    assertThat(server.connections()).isEmpty();
    bed.policy(
        mapping("172.17.*", Optional.of("127.0.0.3")),
        registriesOnly(),
        new TargetGrant(Set.of("*"), List.of("127.0.0.3:*"), Set.of()));
    agent.call(3, call(ONE), VOID_RETURN);
    assertThat(server.connections()).hasSize(1);
  }

  @Test
  void anotherPortOfTheSameServerIsReachedIfPolicyPermitsItThere() throws Exception {
    ScriptedRmiServer first = bed.scripted(FailurePolicy.NONE);
    ScriptedRmiServer further = bed.scripted(FailurePolicy.NONE);
    allowRegistriesOnly();
    TestAgent agent = bed.agent();
    lookUp(agent, 1, registry, NOWHERE, first.port(), ONE);
    agent.open(3, NOWHERE, further.port());
    agent.request(3, call(TWO));
    agent.expectRefused(3, 1, RefusalReason.TARGET_NOT_PERMITTED);
    assertThat(further.connections()).isEmpty();
    bed.policy(allow("127.0.0.1:*"));
    agent.call(3, call(TWO), VOID_RETURN);
    assertThat(further.connections()).hasSize(1);
  }

  @Test
  void anotherPortIsNotGuessedWhenRegistriesOnTwoHostsNameTheHost() throws Exception {
    ScriptedRmiServer first = bed.scripted(FailurePolicy.NONE);
    ScriptedRmiServer further = bed.scripted(FailurePolicy.NONE);
    bed.policy(allow("127.0.0.1:*", "127.0.0.2:*"));
    TestAgent agent = bed.agent();
    lookUp(agent, 1, registry, NOWHERE, first.port(), ONE);
    lookUp(agent, 3, otherRegistry, "127.0.0.2", NOWHERE, first.port() - 1, TWO);
    agent.open(5, NOWHERE, further.port());
    agent.request(5, call(THREE));
    agent.expectRefused(5, 1, RefusalReason.CONNECT_FAILED);
    assertThat(further.connections()).isEmpty();
  }

  @Test
  void serversThatNameTheSameEndpointAreToldApartByTheCalledObject() throws Exception {
    List<ScriptedRmiServer> both = bed.scriptedAtOnePort(loopback(1), loopback(2));
    ScriptedRmiServer one = both.get(0);
    ScriptedRmiServer two = both.get(1);
    allowRegistriesOnly();
    TestAgent agent = bed.agent();
    lookUp(agent, 1, registry, NOWHERE, one.port(), ONE);
    lookUp(agent, 3, otherRegistry, "127.0.0.2", NOWHERE, two.port(), TWO);
    agent.open(5, NOWHERE, one.port());
    agent.call(5, call(ONE), VOID_RETURN);
    agent.call(5, call(TWO), VOID_RETURN);
    agent.request(5, Calls.dgcAck(15)); // says not whom it is for: it follows what was called
    agent.call(5, call(ONE), VOID_RETURN);
    assertThat(one.received()).isEqualTo(Calls.join(call(ONE), call(ONE)));
    assertThat(two.received()).isEqualTo(Calls.join(call(TWO), Calls.dgcAck(15)));
  }

  @Test
  void anObjectNobodyHasHandedOutIsNotCalledAtAnEndpointOfTwoServers() throws Exception {
    List<ScriptedRmiServer> both = bed.scriptedAtOnePort(loopback(1), loopback(2));
    ScriptedRmiServer one = both.get(0);
    ScriptedRmiServer two = both.get(1);
    allowRegistriesOnly();
    TestAgent agent = bed.agent();
    lookUp(agent, 1, registry, NOWHERE, one.port(), ONE);
    lookUp(agent, 3, otherRegistry, "127.0.0.2", NOWHERE, two.port(), TWO);
    agent.open(5, NOWHERE, one.port());
    agent.request(5, call(THREE));
    agent.expectRefused(5, 1, RefusalReason.CONNECT_FAILED);
    // Two hands it out, as a factory does: now it is known.
    byte[] reply = LearningServer.reply(NOWHERE, two.port(), THREE);
    two.answer(reply);
    assertThat(agent.call(5, call(TWO), reply.length)).isEqualTo(reply);
    agent.call(5, call(THREE), reply.length);
    assertThat(one.received()).isEmpty();
    assertThat(two.received()).isEqualTo(Calls.join(call(TWO), call(THREE)));
  }

  @Test
  void aRegistryIsAskedWhereItWasNamedIfPolicyPermitsThat() throws Exception {
    List<ScriptedRmiServer> both = bed.scriptedAtOnePort(loopback(1), loopback(2));
    ScriptedRmiServer onTheGateway = both.get(0);
    ScriptedRmiServer elsewhere = both.get(1);
    bed.policy(allow("127.0.0.1:*", "127.0.0.2:*"));
    TestAgent agent = bed.agent();
    lookUp(agent, 1, otherRegistry, "127.0.0.2", "127.0.0.1", elsewhere.port(), TWO);
    agent.open(3, "127.0.0.1", elsewhere.port());
    agent.call(3, Calls.list(), VOID_RETURN);
    agent.call(3, call(TWO), VOID_RETURN);
    assertThat(onTheGateway.received()).isEqualTo(Calls.list());
    assertThat(elsewhere.received()).isEqualTo(call(TWO));
  }

  @Test
  void theRegistryAtAMappedEndpointIsAskedOnlyIfPolicyGrantsItThere() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    allowRegistriesOnly();
    TestAgent agent = bed.agent();
    lookUp(agent, 1, registry, NOWHERE, server.port(), ONE);
    agent.open(3, NOWHERE, server.port());
    agent.request(3, Calls.list());
    agent.expectRefused(3, 1, RefusalReason.OPERATION_NOT_PERMITTED);
    assertThat(server.connections()).isEmpty();
    bed.policy(allow("127.0.0.1:*"));
    agent.call(3, Calls.list(), VOID_RETURN);
    assertThat(server.received()).isEqualTo(Calls.list());
  }

  @Test
  void aRegistryBehindAMappedEndpointTeachesItsOwnPlace() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    bed.policy(allow("127.0.0.1:*"));
    TestAgent agent = bed.agent();
    lookUp(agent, 1, registry, NOWHERE, registry.port(), ONE);
    lookUp(agent, 3, registry, NOWHERE, "127.7.7.7", server.port(), TWO);
    agent.open(5, "127.7.7.7", server.port());
    agent.call(5, call(TWO), VOID_RETURN);
    assertThat(server.connections()).hasSize(1);
  }

  @Test
  void theCollectorsCallsGoToTheServerOfTheirObjects() throws Exception {
    List<ScriptedRmiServer> both = bed.scriptedAtOnePort(loopback(1), loopback(2));
    ScriptedRmiServer one = both.get(0);
    ScriptedRmiServer two = both.get(1);
    allowRegistriesOnly();
    TestAgent agent = bed.agent();
    lookUp(agent, 1, registry, NOWHERE, one.port(), ONE);
    lookUp(agent, 3, otherRegistry, "127.0.0.2", NOWHERE, two.port(), TWO);
    agent.open(5, NOWHERE, one.port());
    agent.call(5, dirty(TWO), VOID_RETURN);
    agent.call(5, dirty(ONE), VOID_RETURN);
    assertThat(one.received()).isEqualTo(dirty(ONE));
    assertThat(two.received()).isEqualTo(dirty(TWO));
  }

  private void lookUp(
      TestAgent agent, int stream, LearningServer at, String host, int port, ObjIdentifier object)
      throws Exception {
    lookUp(agent, stream, at, "127.0.0.1", host, port, object);
  }

  private static void lookUp(
      TestAgent agent,
      int stream,
      LearningServer at,
      String as,
      String host,
      int port,
      ObjIdentifier object)
      throws Exception {
    at.replyWith(host, port, object);
    agent.open(stream, as, at.port());
    agent.call(stream, Calls.lookup("any"), at.replyLength());
    agent.close(stream);
  }

  private void allowRegistriesOnly() {
    bed.policy(registriesOnly());
  }

  private TargetGrant registriesOnly() {
    return allow("127.0.0.1:" + registry.port(), "127.0.0.2:" + otherRegistry.port());
  }

  private static TargetGrant allow(String... patterns) {
    return new TargetGrant(Set.of("*"), List.of(patterns), SessionBed.READING);
  }

  private static EndpointMapping mapping(String hosts, Optional<String> to) {
    return new EndpointMapping(true, List.of(new EndpointMapping.Rule(hosts, to)));
  }

  /** 127.0.0.n. */
  private static InetAddress loopback(int n) throws UnknownHostException {
    return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) n});
  }

  private static byte[] dirty(ObjIdentifier object) {
    return new DgcCall.Dirty(
            List.of(object), 1, Optional.of(new VmIdentifier(1, 2, 3, (short) 4)), 600_000)
        .encode();
  }

  private static byte[] call(ObjIdentifier object) {
    return Calls.method(object, "v()V", out -> {});
  }
}

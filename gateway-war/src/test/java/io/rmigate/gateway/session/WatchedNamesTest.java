package io.rmigate.gateway.session;

import static io.rmigate.gateway.session.TestAgent.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.lookup.LookupSettings;
import io.rmigate.protocol.NamePatterns;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.LiveReference;
import io.rmigate.protocol.jrmp.LiveReferenceScan;
import io.rmigate.protocol.tunnel.Bound;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Forgot;
import io.rmigate.protocol.tunnel.Hello;
import io.rmigate.protocol.tunnel.Lookup;
import io.rmigate.protocol.tunnel.RegistryName;
import io.rmigate.protocol.tunnel.SessionToken;
import io.rmigate.protocol.tunnel.Tunnel;
import io.rmigate.protocol.tunnel.Unbound;
import io.rmigate.protocol.tunnel.UnboundReason;
import io.rmigate.protocol.tunnel.Welcome;
import java.rmi.Remote;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Names that agents hold, at a registry of the running JDK. */
class WatchedNamesTest {
  private static final LookupSettings QUICK =
      new LookupSettings(true, NamePatterns.of(List.of("tmp*")), Duration.ofMillis(300));
  private static final LookupSettings SLOW =
      new LookupSettings(true, NamePatterns.NONE, Duration.ofHours(1));

  @RegisterExtension final SessionBed bed = new SessionBed();

  private static final class Exported implements Remote {}

  private final Exported one = new Exported();
  private final Exported two = new Exported();
  private Registry registry;
  private Remote stubOfTwo;
  private int port;

  @BeforeEach
  void startRegistry() throws Exception {
    registry = LocateRegistry.createRegistry(0);
    Remote stubOfOne = UnicastRemoteObject.exportObject(one, 0);
    stubOfTwo = UnicastRemoteObject.exportObject(two, 0);
    registry.rebind("Hello", stubOfOne);
    port = Calls.reference(registry).port();
    bed.policy(new TargetGrant(Set.of("*"), List.of("127.0.0.1:" + port), SessionBed.ALL));
  }

  @AfterEach
  void stopRegistry() throws Exception {
    bed.registry().close();
    for (Remote exported : List.of(one, two, registry)) {
      UnicastRemoteObject.unexportObject(exported, true);
    }
  }

  @Test
  void aLookupBringsTheReturnOfTheRegistryAndTeachesItsEndpoint() throws Exception {
    bed.lookups(SLOW);
    TestAgent agent = agent();
    Bound bound = lookUp(agent, 1, "Hello", 0);
    LiveReference reference =
        LiveReferenceScan.scan(bound.message(), 0, bound.message().length).get(0);
    assertThat(reference.object()).isEqualTo(Calls.reference(one()).object());
    agent.open(1, reference.host(), reference.port());
    agent.request(1, Calls.method(reference.object(), "v()V", out -> {}));
    awaitThat(() -> agent.port().dataBytes(1) > 0 || !agent.refusals(1).isEmpty());
    assertThat(agent.refusals(1)).isEmpty();
  }

  @Test
  void aSecondSessionIsAnsweredFromWhatIsKnown() throws Exception {
    bed.lookups(SLOW);
    Bound first = lookUp(agent(), 1, "Hello", 0);
    registry.unbind("Hello"); // inside: not seen before the next poll
    assertThat(lookUp(agent(), 1, "Hello", 0).message()).isEqualTo(first.message());
  }

  @Test
  void aFreshLookupAsksTheRegistry() throws Exception {
    bed.lookups(SLOW);
    TestAgent agent = agent();
    lookUp(agent, 1, "Hello", 0);
    registry.unbind("Hello");
    agent.say(new Lookup(2, true, name("Hello")));
    assertThat(awaitUnbound(agent, 0).reason()).isEqualTo(UnboundReason.NOT_BOUND);
  }

  @Test
  void aRebindInsideIsPushedToAllHolders() throws Exception {
    bed.lookups(QUICK);
    TestAgent first = agent();
    TestAgent second = agent();
    lookUp(first, 1, "Hello", 0);
    lookUp(second, 1, "Hello", 0);
    registry.rebind("Hello", stubOfTwo);
    for (TestAgent agent : List.of(first, second)) {
      Bound pushed = awaitBound(agent, 1);
      assertThat(pushed.number()).isZero();
      assertThat(pushed.pushed()).contains(name("Hello"));
      assertThat(
              LiveReferenceScan.scan(pushed.message(), 0, pushed.message().length).get(0).object())
          .isEqualTo(Calls.reference(stubOfTwo).object());
    }
  }

  @Test
  void aVanishedNameIsPushedAndNotWatchedAnyMore() throws Exception {
    bed.lookups(QUICK);
    TestAgent agent = agent();
    lookUp(agent, 1, "Hello", 0);
    registry.unbind("Hello");
    Unbound gone = awaitUnbound(agent, 0);
    assertThat(gone.number()).isZero();
    assertThat(gone.reason()).isEqualTo(UnboundReason.GONE);
  }

  @Test
  void anUnboundNameBringsTheRegistrysException() throws Exception {
    bed.lookups(SLOW);
    TestAgent agent = agent();
    agent.say(new Lookup(1, false, name("Nobody")));
    Unbound answer = awaitUnbound(agent, 0);
    assertThat(answer.reason()).isEqualTo(UnboundReason.NOT_BOUND);
    assertThat(new String(answer.message(), java.nio.charset.StandardCharsets.ISO_8859_1))
        .contains("java.rmi.NotBoundException");
  }

  @Test
  void whatPolicyDoesNotPermitIsRefused() throws Exception {
    bed.lookups(SLOW);
    TestAgent agent = agent();
    agent.say(new Lookup(1, false, new RegistryName(new EndpointId("127.0.0.1", 1), "Hello")));
    assertThat(awaitUnbound(agent, 0).reason()).isEqualTo(UnboundReason.TARGET_NOT_PERMITTED);
    bed.policy(new TargetGrant(Set.of("*"), List.of("127.0.0.1:" + port), Set.of()));
    agent.say(new Lookup(2, false, name("Hello")));
    assertThat(awaitUnbound(agent, 1).reason()).isEqualTo(UnboundReason.OPERATION_NOT_PERMITTED);
  }

  @Test
  void excludedNamesAreLeftToTheRegistry() throws Exception {
    bed.lookups(QUICK);
    TestAgent agent = agent();
    agent.say(new Lookup(1, false, name("tmpHello")));
    assertThat(awaitUnbound(agent, 0).reason()).isEqualTo(UnboundReason.NOT_CACHEABLE);
  }

  @Test
  void aRebindThroughTheTunnelIsSeenByTheNextLookup() throws Exception {
    bed.lookups(SLOW);
    TestAgent agent = agent();
    lookUp(agent, 1, "Hello", 0);
    agent.open(1, port);
    agent.request(1, Calls.rebind("Hello", stubOfTwo));
    awaitThat(() -> agent.port().dataBytes(1) > 0);
    agent.say(new Lookup(2, false, name("Hello")));
    awaitThat(() -> bounds(agent).stream().anyMatch(bound -> bound.number() == 2));
    Bound answer =
        bounds(agent).stream().filter(bound -> bound.number() == 2).findFirst().orElseThrow();
    assertThat(LiveReferenceScan.scan(answer.message(), 0, answer.message().length).get(0).object())
        .isEqualTo(Calls.reference(stubOfTwo).object());
  }

  @Test
  void theGatewaysOwnLeaseEndsWithTheEntry() throws Exception {
    bed.lookups(SLOW);
    TestAgent agent = agent();
    Bound bound = lookUp(agent, 1, "Hello", 0);
    awaitThat(() -> !bed.leases().views().isEmpty());
    agent.say(new Forgot(bound.binding()));
    awaitThat(() -> bed.leases().views().isEmpty());
  }

  private Remote one() throws Exception {
    return registry.lookup("Hello");
  }

  private RegistryName name(String name) {
    return new RegistryName(new EndpointId("127.0.0.1", port), name);
  }

  private TestAgent agent() {
    TestAgent agent = bed.stranger();
    agent.say(
        new Hello(
            Tunnel.VERSION,
            Tunnel.VERSION,
            Set.of(Feature.LOOKUPS),
            SessionToken.NONE,
            0,
            TestAgent.CREDIT,
            List.of(Welcome.IDENTITY),
            Map.of()));
    agent.awaitWelcome();
    assertThat(agent.port().frames(Welcome.class).get(0).features())
        .containsExactly(Feature.LOOKUPS);
    return agent;
  }

  private Bound lookUp(TestAgent agent, long number, String name, int before) {
    agent.say(new Lookup(number, false, name(name)));
    return awaitBound(agent, before);
  }

  private static Bound awaitBound(TestAgent agent, int index) {
    awaitThat(() -> bounds(agent).size() > index);
    return bounds(agent).get(index);
  }

  private static List<Bound> bounds(TestAgent agent) {
    return agent.port().frames(Bound.class);
  }

  private static Unbound awaitUnbound(TestAgent agent, int index) {
    awaitThat(() -> agent.port().frames(Unbound.class).size() > index);
    return agent.port().frames(Unbound.class).get(index);
  }
}

package io.rmigate.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.relay.FailurePolicy;
import io.rmigate.gateway.relay.ScriptedRmiServer;
import io.rmigate.gateway.relay.address.Ipv4Mapped;
import io.rmigate.gateway.route.EndpointMapping;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.gateway.testing.InnerAddress;
import io.rmigate.gateway.testing.LogLines;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.tunnel.Bound;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Dirty;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Lookup;
import io.rmigate.protocol.tunnel.RefusalReason;
import io.rmigate.protocol.tunnel.Refused;
import io.rmigate.protocol.tunnel.RegistryName;
import io.rmigate.protocol.tunnel.Unbound;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which targets may be reached. What is refused is not connected to. */
class TargetsTest {
  private static final int VOID_RETURN = 22;

  @RegisterExtension final SessionBed bed = new SessionBed();

  @Test
  void anUnlistedTargetIsRefusedWithoutAConnection() throws Exception {
    ScriptedRmiServer trap = bed.scripted(FailurePolicy.NONE);
    bed.policy(allow("127.0.0.1:" + (trap.port() - 1), "elsewhere.example:*"));
    TestAgent agent = bed.agent();
    agent.open(1, trap.port());
    agent.request(1, Calls.list());
    agent.expectRefused(1, 1, RefusalReason.TARGET_NOT_PERMITTED);
    agent.request(1, Calls.list());
    agent.expectRefused(1, 2, RefusalReason.TARGET_NOT_PERMITTED);
    assertNoConnection(trap, agent);
  }

  @Test
  void thatATargetIsOnTheGatewaysMachineIsSaidWhenAClientFirstGoesThere() throws Exception {
    bed.names(host -> new InetAddress[] {InetAddress.getLoopbackAddress()});
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    byte[] reply = Calls.returned(null);
    server.answer(reply);
    bed.policy(allow("late.example:" + server.port(), "other.example:" + server.port()));
    TestAgent agent = bed.agent();
    try (LogLines log = new LogLines("io.rmigate.gateway.relay")) {
      agent.open(1, "late.example", server.port());
      agent.call(1, Calls.list(), reply.length);
      agent.open(3, "other.example", server.port());
      agent.call(3, Calls.list(), reply.length);
      assertThat(log.warnings())
          .singleElement()
          .asString()
          .contains("late.example", "127.0.0.1", "bind, rebind and unbind");
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Feature.class,
      names = {"LEASES", "LOOKUPS"})
  void whateverNamesAreLookedUpForAPrincipalHasOneShare(Feature others) throws Exception {
    CountDownLatch answered = new CountDownLatch(1);
    AtomicInteger hanging = new AtomicInteger();
    bed.names(
        host -> {
          if (host.endsWith(".slow.example")) {
            hanging.incrementAndGet();
            awaitUninterruptibly(answered);
            throw new UnknownHostException(host);
          }
          return new InetAddress[] {InetAddress.getLoopbackAddress()};
        });
    bed.policy(allow("*.slow.example:*", "honest.example:*"));
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    byte[] reply = Calls.returned(null);
    server.answer(reply);
    TestAgent slow = bed.stranger(new Principal("mallory", Principal.Scheme.BASIC));
    slow.hello(others);
    for (int i = 0; i < 10; i++) {
      slow.open(2 * i + 1, i + ".slow.example", 1099);
      slow.request(2 * i + 1, Calls.list());
    }
    TestAgent.awaitThat(() -> hanging.get() == 8);
    for (int i = 0; i < 10; i++) {
      String host = (100 + i) + ".slow.example";
      slow.say(
          others == Feature.LOOKUPS
              ? lookup(1 + i, host, 1099)
              : new Dirty(
                  0, new EndpointId(host, 1099), List.of(new ObjIdentifier(7, 1, 2, (short) 3))));
    }

    TestAgent honest = bed.stranger();
    honest.hello(others);
    for (int i = 0; i < 10; i++) {
      honest.open(2 * i + 1, "honest.example", server.port());
      honest.call(2 * i + 1, Calls.list(), reply.length);
    }
    assertThat(hanging).hasValue(8);
    answered.countDown();
    TestAgent.awaitThat(() -> hanging.get() >= 20); // all were asked for, and in their turn
  }

  /** A client whose target is a wildcard may have a name server of its own, which is slow. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void namesOfOneThatHangKeepNobodyElseWaiting(boolean byLookups) throws Exception {
    CountDownLatch answered = new CountDownLatch(1);
    AtomicInteger hanging = new AtomicInteger();
    bed.names(
        host -> {
          if (host.endsWith(".slow.example")) {
            hanging.incrementAndGet();
            awaitUninterruptibly(answered);
            throw new UnknownHostException(host);
          }
          return new InetAddress[] {InetAddress.getLoopbackAddress()};
        });
    bed.policy(allow("*.slow.example:*", "honest.example:*"));
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    byte[] reply = Calls.returned(null);
    server.answer(reply);
    TestAgent slow = bed.stranger(new Principal("mallory", Principal.Scheme.BASIC));
    slow.hello(Feature.LOOKUPS);
    for (int i = 0; i < 100; i++) {
      if (byLookups) {
        slow.say(lookup(1 + i, i + ".slow.example", 1099));
      } else {
        slow.open(2 * i + 1, i + ".slow.example", 1099);
        slow.request(2 * i + 1, Calls.list());
      }
    }
    TestAgent.awaitThat(() -> hanging.get() >= 8);

    TestAgent honest = bed.stranger();
    honest.hello(Feature.LOOKUPS);
    honest.say(lookup(1, "honest.example", server.port()));
    TestAgent.awaitThat(
        () ->
            honest.port().frames(Bound.class).size() + honest.port().frames(Unbound.class).size()
                == 1);
    honest.open(1, "honest.example", server.port());
    honest.call(1, Calls.list(), reply.length);
    assertThat(hanging).hasValue(8);
    answered.countDown();
    if (!byLookups) {
      TestAgent.awaitThat(() -> slow.port().frames(Refused.class).size() == 100);
    }
  }

  private static Lookup lookup(long number, String host, int port) {
    return new Lookup(number, false, new RegistryName(new EndpointId(host, port), "name"));
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aLongRequestToAnUnlistedTargetIsRefusedOnceAndDropped() throws Exception {
    ScriptedRmiServer trap = bed.scripted(FailurePolicy.NONE);
    bed.policy();
    TestAgent agent = bed.agent();
    agent.open(1, trap.port());
    for (int i = 0; i < 64; i++) {
      agent.part(1, new byte[16 * 1024]);
    }
    agent.say(new Data(1, true, new byte[1]));
    agent.expectRefused(1, 1, RefusalReason.TARGET_NOT_PERMITTED);
    assertThat(agent.refusals(1)).hasSize(1);
    // Dropped bytes are credited, up to what is less than half a window.
    assertThat(agent.creditGiven(1)).isGreaterThan((1024 - 128) * 1024);
    assertNoConnection(trap, agent);
  }

  @Test
  void aGrantForOthersIsNone() throws Exception {
    ScriptedRmiServer trap = bed.scripted(FailurePolicy.NONE);
    bed.policy(new TargetGrant(Set.of("bob"), List.of("127.0.0.1:*"), SessionBed.ALL));
    TestAgent agent = bed.agent();
    agent.open(1, trap.port());
    agent.request(1, Calls.list());
    agent.expectRefused(1, 1, RefusalReason.TARGET_NOT_PERMITTED);
    assertNoConnection(trap, agent);
  }

  static List<String> namesOfThisMachine() throws Exception {
    return List.of("localhost", InnerAddress.find().getHostAddress());
  }

  @ParameterizedTest
  @MethodSource("namesOfThisMachine")
  void aLearntEndpointOfAnotherNameMustNotBeThisMachine(String name) throws Exception {
    LearningServer server = new LearningServer();
    try (server) {
      ScriptedRmiServer other = bed.scripted(FailurePolicy.NONE);
      bed.policy(new EndpointMapping(false, List.of()), allow("127.0.0.1:" + server.port()));
      TestAgent agent = bed.agent();
      server.replyWith(name, other.port());
      agent.open(1, server.port());
      agent.call(1, Calls.lookup("any"), server.replyLength());
      agent.open(3, name, other.port());
      agent.request(3, Calls.method(LearningServer.OBJECT, "v()V", out -> {}));
      agent.expectRefused(3, 1, RefusalReason.TARGET_NOT_PERMITTED);
      agent.close(1);
      assertNoConnection(other, agent);
    }
  }

  @Test
  void theRegistryOfALearntEndpointMayNotBeAsked() throws Exception {
    LearningServer server = new LearningServer();
    try (server) {
      ScriptedRmiServer other = bed.scripted(FailurePolicy.NONE);
      bed.policy(allow("127.0.0.1:" + server.port()));
      TestAgent agent = bed.agent();
      server.replyWith("127.0.0.1", other.port());
      agent.open(1, server.port());
      agent.call(1, Calls.lookup("any"), server.replyLength());
      agent.open(3, other.port());
      for (byte[] call : List.of(Calls.list(), Calls.lookup("any"))) {
        int before = agent.refusals(3).size();
        agent.request(3, call);
        assertThat(agent.awaitRefused(3, before).reason())
            .isEqualTo(RefusalReason.OPERATION_NOT_PERMITTED);
      }
      assertThat(other.connections()).isEmpty();
      agent.call(3, Calls.method(LearningServer.OBJECT, "v()V", out -> {}), VOID_RETURN);
      assertThat(other.connections()).hasSize(1);
      agent.close(1);
    }
  }

  @Test
  void aLearntEndpointIsLearntByItsSessionOnly() throws Exception {
    LearningServer server = new LearningServer();
    try (server) {
      ScriptedRmiServer other = bed.scripted(FailurePolicy.NONE);
      bed.policy(allow("127.0.0.1:" + server.port()));
      TestAgent first = bed.agent();
      server.replyWith("127.0.0.1", other.port());
      first.open(1, server.port());
      first.call(1, Calls.lookup("any"), server.replyLength());
      TestAgent second = bed.agent();
      second.open(1, other.port());
      second.request(1, Calls.method(LearningServer.OBJECT, "v()V", out -> {}));
      second.expectRefused(1, 1, RefusalReason.TARGET_NOT_PERMITTED);
      first.close(1);
    }
  }

  @Test
  void theReplyOfAnOrdinaryCallTeachesNothing() throws Exception {
    LearningServer server = new LearningServer();
    try (server) {
      ScriptedRmiServer other = bed.scripted(FailurePolicy.NONE);
      bed.policy(allow("127.0.0.1:" + server.port()));
      TestAgent agent = bed.agent();
      server.replyWith("127.0.0.1", other.port());
      agent.open(1, server.port());
      agent.call(1, Calls.method(LearningServer.OBJECT, "v()V", out -> {}), server.replyLength());
      agent.open(3, other.port());
      agent.request(3, Calls.method(LearningServer.OBJECT, "v()V", out -> {}));
      agent.expectRefused(3, 1, RefusalReason.TARGET_NOT_PERMITTED);
      assertNoConnection(other, agent);
      agent.close(1);
    }
  }

  @Test
  void aLookupBehindOtherCallsGoesOverAConnectionOfItsOwn() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.call(1, Calls.list(), VOID_RETURN);
    agent.call(1, Calls.lookup("any"), VOID_RETURN);
    agent.call(1, Calls.lookup("any"), VOID_RETURN);
    assertThat(server.connections()).hasSize(1); // only the registry has handed out endpoints
    assertThat(bed.isolatedCalls()).isZero();
    agent.call(1, Calls.method(LearningServer.OBJECT, "v()V", out -> {}), VOID_RETURN);
    agent.call(1, Calls.lookup("any"), VOID_RETURN);
    assertThat(bed.isolatedCalls()).isEqualTo(1);
    assertThat(server.connections()).hasSize(2);
    assertThat(server.connections().get(1).protocol()).isEqualTo(Jrmp.SINGLE_OP_PROTOCOL);
    assertThat(server.connections().get(1).received()).isEqualTo(Calls.lookup("any"));
  }

  @Test
  void theTailOfAnotherReturnTeachesNothing() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.KEEP_SINGLE_OP_OPEN);
    server.answer(new byte[0]); // the test answers
    ScriptedRmiServer well = bed.scripted(FailurePolicy.NONE);
    ScriptedRmiServer other = bed.scripted(FailurePolicy.NONE);
    bed.policy(allow("127.0.0.1:" + server.port(), "127.0.0.1:" + well.port()));
    byte[] forged = LearningServer.reply("127.0.0.1", other.port());
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.open(3, well.port());
    agent.open(5, other.port());
    agent.request(1, Calls.method(LearningServer.OBJECT, "v()V", out -> {}));
    TestAgent.awaitThat(() -> server.received().length > 0);
    server.connections().get(0).say(Arrays.copyOf(forged, 1));
    agent.awaitData(1, 1); // from here on the next Call may come
    agent.request(1, Calls.lookup("any"));
    TestAgent.awaitThat(
        () -> server.connections().size() == 2 && server.connections().get(1).receivedBytes() > 0);
    server.connections().get(0).say(Arrays.copyOfRange(forged, 1, forged.length));
    agent.call(3, Calls.list(), VOID_RETURN); // the relay has gone round meanwhile
    server.connections().get(1).say(ScriptedRmiServer.VOID_RETURN);
    agent.awaitData(1, 1 + VOID_RETURN);
    agent.request(5, Calls.method(LearningServer.OBJECT, "v()V", out -> {}));
    agent.expectRefused(5, 1, RefusalReason.TARGET_NOT_PERMITTED);
    assertThat(other.connections()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "127.1",
        "127.0.1",
        "127.255.255.254",
        "0.0.0.0",
        "0",
        "::1",
        "0:0:0:0:0:0:0:1",
        "::",
        "[::1]",
        "::ffff:127.0.0.1",
        "[::ffff:127.0.0.1]",
        "::ffff:7f00:1",
        "::ffff:0.0.0.0",
        "::127.0.0.1",
        "2130706433",
        "0x7f.1",
        "0x7f000001",
        "localhost",
        "LOCALHOST",
        "localhost.",
        "127.0.0.1.",
        "ip6-localhost",
        "localhost.localdomain",
        "169.254.169.254",
        "fe80::1",
        "fe80::1%lo",
        "::1%lo",
        "224.0.0.1",
        "255.255.255.255",
        "ff02::1"
      })
  void aWildcardDoesNotReachThisMachineInAnySpelling(String host) throws Exception {
    ScriptedRmiServer trap = bed.scripted(FailurePolicy.NONE);
    bed.policy(allow("*:*"));
    TestAgent agent = bed.agent();
    agent.open(1, host, trap.port());
    agent.request(1, Calls.list());
    assertThat(agent.awaitRefused(1, 0).reason())
        .isIn(
            RefusalReason.TARGET_NOT_PERMITTED,
            RefusalReason.UNKNOWN_HOST,
            RefusalReason.CONNECT_FAILED);
    assertNoConnection(trap, agent);
  }

  @ParameterizedTest
  @ValueSource(strings = {"2130706433", "0x7f.1", "::ffff:127.0.0.1"})
  void severalStarsAreOneWildcard(String host) throws Exception {
    ScriptedRmiServer trap = bed.scripted(FailurePolicy.NONE);
    bed.policy(allow("**:*"));
    TestAgent agent = bed.agent();
    agent.open(1, host, trap.port());
    agent.request(1, Calls.list());
    assertThat(agent.awaitRefused(1, 0).reason())
        .isIn(RefusalReason.TARGET_NOT_PERMITTED, RefusalReason.UNKNOWN_HOST);
    assertNoConnection(trap, agent);
  }

  /** So says an AAAA record of {@code ::ffff:127.0.0.1}. */
  @Test
  void aWildcardDoesNotReachThisMachineByANameServerThatWritesItAsAnAddressOfIpv6()
      throws Exception {
    ScriptedRmiServer trap = bed.scripted(FailurePolicy.NONE);
    InetAddress here = Ipv4Mapped.of(InetAddress.getLoopbackAddress());
    bed.names(
        host ->
            host.equals("rmi.example") ? new InetAddress[] {here} : InetAddress.getAllByName(host));
    bed.policy(allow("*:*"));
    TestAgent agent = bed.agent();
    agent.open(1, "rmi.example", trap.port());
    agent.request(1, Calls.list());
    agent.expectRefused(1, 1, RefusalReason.TARGET_NOT_PERMITTED);
    assertNoConnection(trap, agent);
  }

  @Test
  void aNameThatThePolicyWritesMayBeLoopback() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    bed.policy(allow("localhost:*"));
    TestAgent agent = bed.agent();
    agent.open(1, "localhost", server.port());
    agent.call(1, Calls.list(), VOID_RETURN);
  }

  @Test
  void theAddressesOfThisMachinesInterfacesAreReachedIfTheyAreNamed() throws Exception {
    InetAddress own = InnerAddress.find();
    assumeFalse(own.isLoopbackAddress(), "no address but loopback");
    bed.policy(allow("*:*"));
    TestAgent agent = bed.agent();
    agent.open(1, own.getHostAddress(), 1);
    agent.request(1, Calls.list());
    agent.expectRefused(1, 1, RefusalReason.TARGET_NOT_PERMITTED);
    bed.policy(allow("*:*"), allow(own.getHostAddress() + ":*"));
    agent.open(3, own.getHostAddress(), 1);
    agent.request(3, Calls.list());
    agent.expectRefused(3, 1, RefusalReason.CONNECTION_REFUSED);
  }

  @Test
  void aReloadedPolicyCountsFromTheNextRequest() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.call(1, Calls.list(), VOID_RETURN);
    bed.policy();
    agent.request(1, Calls.list());
    agent.expectRefused(1, 2, RefusalReason.TARGET_NOT_PERMITTED);
    bed.grant(Set.of());
    agent.request(1, Calls.list());
    assertThat(agent.awaitRefused(1, 1).reason()).isEqualTo(RefusalReason.OPERATION_NOT_PERMITTED);
    bed.grant(SessionBed.READING);
    agent.call(1, Calls.list(), VOID_RETURN);
    assertThat(server.connections()).hasSize(1);
    assertThat(server.received()).hasSize(2 * Calls.list().length);
  }

  /** Refusals come in order behind a round of the relay: a connection would have come by then. */
  private void assertNoConnection(ScriptedRmiServer trap, TestAgent agent) throws Exception {
    LedgerServer bystander = bed.ledger();
    bed.policy(allow("127.0.0.1:" + bystander.port()));
    agent.open(101, bystander.port());
    agent.call(101, bystander.tick(), VOID_RETURN);
    assertThat(trap.connections()).isEmpty();
  }

  private static TargetGrant allow(String... patterns) {
    return new TargetGrant(Set.of("*"), List.of(patterns), SessionBed.READING);
  }
}

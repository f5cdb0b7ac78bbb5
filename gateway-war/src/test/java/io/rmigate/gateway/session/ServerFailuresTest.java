package io.rmigate.gateway.session;

import static io.rmigate.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.relay.FailurePolicy;
import io.rmigate.gateway.relay.RelaySettings;
import io.rmigate.gateway.relay.ScriptedRmiServer;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.protocol.tunnel.Open;
import io.rmigate.protocol.tunnel.RefusalReason;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Servers that fail: REFUSED while nothing has reached them, RETURN_END afterwards. */
class ServerFailuresTest {
  @RegisterExtension final SessionBed bed = new SessionBed();

  @Test
  void anUnknownHostRefusesTheRequest() {
    bed.policy(new TargetGrant(Set.of("*"), List.of("*.invalid:*"), SessionBed.READING));
    TestAgent agent = bed.agent();
    // Too long for DNS, so that no name server is asked.
    agent.open(1, "x".repeat(64) + ".invalid", 1099);
    agent.request(1, Calls.list());
    agent.expectRefused(1, 1, RefusalReason.UNKNOWN_HOST);
    agent.request(1, Calls.list());
    agent.expectRefused(1, 2, RefusalReason.UNKNOWN_HOST);
  }

  @Test
  void anythingMayStandForAHost() {
    bed.policy(new TargetGrant(Set.of("*"), List.of("*:*"), SessionBed.READING));
    TestAgent agent = bed.agent();
    int stream = 1;
    for (String host :
        List.of(
            " ",
            "a b",
            "[",
            "]",
            "[]",
            ":",
            "%",
            "::1%",
            "\u0000",
            "é",
            "x".repeat(1024),
            ".",
            "..",
            "1.2.3.4.5",
            "999.1.1.1",
            "[::g]",
            "//host",
            "host\nname",
            "xn--",
            "-")) {
      agent.open(stream, host, 1);
      agent.request(stream, Calls.list());
      assertThat(agent.awaitRefused(stream, 0).reason())
          .as(host)
          .isIn(RefusalReason.UNKNOWN_HOST, RefusalReason.TARGET_NOT_PERMITTED);
      stream += 2;
    }
  }

  @Test
  void aRefusedConnectionRefusesTheRequest() throws Exception {
    TestAgent agent = bed.agent();
    try (Socket bound = new Socket()) { // not listening: no other program can get its port
      bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      agent.open(1, bound.getLocalPort());
      refusedThrice(agent);
    }
    try (ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE)) {
      agent.open(3, server.port());
      agent.call(3, Calls.list(), 22);
    }
  }

  private static void refusedThrice(TestAgent agent) {
    for (int request = 1; request <= 3; request++) {
      agent.request(1, Calls.list());
      assertThat(agent.awaitRefused(1, request - 1).request()).isEqualTo(request);
      assertThat(agent.awaitRefused(1, request - 1).reason())
          .isEqualTo(RefusalReason.CONNECTION_REFUSED);
    }
  }

  @Test
  void aSilentServerRefusesTheRequestInTime() throws Exception {
    bed.relaySettings(new RelaySettings(PATIENCE, Duration.ofSeconds(2), PATIENCE, 64 * 1024, 1));
    refused(FailurePolicy.NEVER_ACK, RefusalReason.CONNECT_FAILED);
  }

  @Test
  void theAgentMayAskForLessPatience() throws Exception {
    bed.relaySettings(
        new RelaySettings(
            Duration.ofDays(1), Duration.ofDays(1), Duration.ofDays(1), 64 * 1024, 1));
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NEVER_ACK);
    TestAgent agent = bed.agent();
    agent.say(
        new Open(1, "127.0.0.1", server.port(), Duration.ofSeconds(1), Duration.ofMillis(300)));
    agent.request(1, Calls.list());
    agent.expectRefused(1, 1, RefusalReason.CONNECT_FAILED);
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP", "NACK", "CLOSE_ON_HEADER"})
  void whatIsNoRmiServerRefusesTheRequest(FailurePolicy policy) throws Exception {
    refused(policy, RefusalReason.NOT_JRMP);
  }

  private void refused(FailurePolicy policy, RefusalReason reason) throws Exception {
    ScriptedRmiServer server = bed.scripted(policy);
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.request(1, Calls.list());
    agent.expectRefused(1, 1, reason);
    agent.request(1, Calls.list());
    agent.expectRefused(1, 2, reason);
    assertThat(server.received()).isEmpty();
    server.policy(FailurePolicy.NONE);
    assertThat(agent.call(1, Calls.list(), 22)).isEqualTo(ScriptedRmiServer.VOID_RETURN);
    assertThat(agent.returnEnds(1)).isEmpty();
  }

  @Test
  void aServerThatClosesAfterTheAckEndsTheRequestOrIsTriedAgain() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.CLOSE_AFTER_ACK);
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.request(1, Calls.list());
    TestAgent.awaitThat(() -> agent.returnEnds(1).size() + agent.refusals(1).size() == 1);
    assertThat(agent.port().dataBytes(1)).isZero();
  }

  @Test
  void aServerThatClosesAfterTheCallEndsTheRequest() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.CLOSE_AFTER_CALL);
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.request(1, Calls.list());
    assertThat(agent.awaitReturnEnd(1).request()).isEqualTo(1);
    assertThat(agent.port().dataBytes(1)).isZero();
    assertThat(agent.refusals(1)).isEmpty();
  }

  @Test
  void aReturnThatIsCutArrivesAsFarAsItCame() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.CUT_RETURN);
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.request(1, Calls.list());
    assertThat(agent.awaitReturnEnd(1).request()).isEqualTo(1);
    assertThat(agent.port().data(1)).isEqualTo(Arrays.copyOf(ScriptedRmiServer.VOID_RETURN, 11));
    server.policy(FailurePolicy.NONE);
    agent.request(1, Calls.list());
    agent.awaitData(1, 11 + 22);
  }

  @Test
  void refusalsAndEndsCountTheRequestsOfTheirStream() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.call(1, Calls.list(), 22); // 1
    agent.request(1, Calls.dgcAck(15)); // 2
    agent.request(1, Calls.rebind("a", null)); // 3
    agent.expectRefused(1, 3, RefusalReason.OPERATION_NOT_PERMITTED);
    server.policy(FailurePolicy.CLOSE_AFTER_CALL);
    agent.request(1, Calls.list()); // 4
    assertThat(agent.awaitReturnEnd(1).request()).isEqualTo(4);
  }

  @Test
  void oneFailingServerDoesNotHoldUpAnother() throws Exception {
    ScriptedRmiServer silent = bed.scripted(FailurePolicy.NEVER_ACK);
    ScriptedRmiServer well = bed.scripted(FailurePolicy.NONE);
    TestAgent agent = bed.agent();
    for (int stream = 1; stream < 41; stream += 2) {
      agent.open(stream, silent.port());
      agent.request(stream, Calls.list());
    }
    agent.open(41, well.port());
    assertThat(agent.call(41, Calls.list(), 22)).hasSize(22);
    assertThat(agent.refusals(1)).isEmpty();
  }
}

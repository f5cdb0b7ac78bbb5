package io.rmigate.gateway.session;

import static io.rmigate.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.relay.FailurePolicy;
import io.rmigate.gateway.relay.RelaySettings;
import io.rmigate.gateway.relay.ScriptedRmiServer;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.tunnel.FrameOutput;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Calls that reach a server: what comes back, over which connections, and how often they run. */
class RelayedCallsTest {
  private static final int INT_RETURN = 26;
  private static final int VOID_RETURN = 22;

  /** A connection that was unused for longer is pinged before the next call. */
  private static final Duration IDLE = Duration.ofMillis(100);

  @RegisterExtension final SessionBed bed = new SessionBed();

  @Test
  void aLookupIsAnsweredWithTheBytesOfPlainJrmp() throws Exception {
    LedgerServer server = bed.ledger();
    TestAgent agent = bed.agent();
    byte[] plain = server.plainly(Calls.lookup("ledger"));
    agent.open(1, server.port());
    byte[] tunnelled = agent.call(1, Calls.lookup("ledger"), plain.length);
    assertThat(withoutUid(tunnelled)).isEqualTo(withoutUid(plain));
  }

  @Test
  void aCallIsAnsweredWithTheBytesOfPlainJrmp() throws Exception {
    LedgerServer server = bed.ledger();
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    byte[] plain = server.plainly(server.execute("plain"));
    byte[] tunnelled = agent.call(1, server.execute("tunnelled"), INT_RETURN);
    assertThat(withoutUid(tunnelled)).isEqualTo(withoutUid(plain));
    assertThat(server.executions("tunnelled")).isEqualTo(1);
  }

  @Test
  void theAgentsFramesMayComeOneByteAtATime() throws Exception {
    LedgerServer server = bed.ledger();
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    FrameOutput out = new FrameOutput(1024);
    byte[] call = server.execute("bytewise");
    for (int i = 0; i < call.length; i++) {
      out.data(1, i == call.length - 1, call, i, 1);
    }
    for (byte one : out.toByteArray()) {
      agent.sayBytes(new byte[] {one});
    }
    agent.awaitData(1, INT_RETURN);
    assertThat(server.executions("bytewise")).isEqualTo(1);
  }

  @Test
  void manyCallsOfOneStreamShareOneConnection() throws Exception {
    LedgerServer server = bed.ledger();
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    for (int i = 0; i < 200; i++) {
      agent.call(1, server.execute("many"), INT_RETURN);
    }
    assertThat(server.executions("many")).isEqualTo(200);
    assertThat(server.accepted()).isEqualTo(1);
  }

  @Test
  void streamsDoNotShareConnections() throws Exception {
    LedgerServer server = bed.ledger();
    TestAgent agent = bed.agent();
    for (int stream = 1; stream <= 9; stream += 2) {
      agent.open(stream, server.port());
      agent.call(stream, server.execute("each"), INT_RETURN);
    }
    assertThat(server.accepted()).isEqualTo(5);
  }

  @Test
  void noConnectionIsMadeBeforeTheFirstRequest() throws Exception {
    LedgerServer server = bed.ledger();
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.close(1);
    assertThat(agent.awaitClose(1)).isNotNull();
    assertThat(server.accepted()).isZero();
  }

  @Test
  void closingAStreamClosesItsConnectionAndFreesItsNumber() throws Exception {
    LedgerServer server = bed.ledger();
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.call(1, server.tick(), VOID_RETURN);
    agent.close(1);
    agent.awaitClose(1);
    TestAgent.awaitThat(server::allConnectionsClosed);
    agent.open(1, server.port());
    agent.call(1, server.tick(), VOID_RETURN);
    assertThat(server.ticks()).isEqualTo(2);
  }

  @Test
  void aDgcAckGoesToTheServerAndIsNotAnswered() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    byte[] ack = Calls.dgcAck(1 + Jrmp.UID_BYTES);
    agent.call(1, Calls.list(), VOID_RETURN);
    agent.request(1, ack);
    agent.call(1, Calls.list(), VOID_RETURN);
    assertThat(server.received()).isEqualTo(Calls.join(Calls.list(), ack, Calls.list()));
    assertThat(server.connections()).hasSize(1);
  }

  @Test
  void aReturnInSingleBytesArrivesWhole() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.SINGLE_BYTES);
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    for (int i = 0; i < 5; i++) {
      assertThat(agent.call(1, Calls.list(), VOID_RETURN)).isEqualTo(ScriptedRmiServer.VOID_RETURN);
    }
  }

  @Test
  void anIdleConnectionIsPingedBeforeTheNextCall() throws Exception {
    pingSoon();
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.call(1, Calls.list(), VOID_RETURN);
    beIdle();
    agent.call(1, Calls.list(), VOID_RETURN);
    assertThat(server.received())
        .isEqualTo(Calls.join(Calls.list(), new byte[] {Jrmp.PING}, Calls.list()));
    assertThat(server.connections()).hasSize(1);
  }

  @Test
  void aBusyConnectionIsNotPinged() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    for (int i = 0; i < 50; i++) {
      agent.call(1, Calls.list(), VOID_RETURN);
    }
    assertThat(server.received()).hasSize(50 * Calls.list().length);
  }

  @Test
  void aConnectionThatTheServerClosedIsMadeAgain() throws Exception {
    LedgerServer server = bed.ledger();
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.call(1, server.execute("one"), INT_RETURN);
    server.dropConnections();
    agent.awaitReturnEnd(1);
    agent.call(1, server.execute("two"), INT_RETURN);
    assertThat(server.executions("one")).isEqualTo(1);
    assertThat(server.executions("two")).isEqualTo(1);
    assertThat(server.accepted()).isEqualTo(2);
  }

  @Test
  void anIdleConnectionThatTheServerClosedIsMadeAgain() throws Exception {
    pingSoon();
    LedgerServer server = bed.ledger();
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.call(1, server.execute("one"), INT_RETURN);
    server.dropConnections();
    beIdle();
    agent.call(1, server.execute("two"), INT_RETURN);
    assertThat(server.executions("two")).isEqualTo(1);
    assertThat(server.accepted()).isEqualTo(2);
  }

  @Test
  void aPingWithoutAnswerMakesTheConnectionAgain() throws Exception {
    afterAPing(FailurePolicy.NO_PING_ACK);
  }

  @Test
  void aPingWithAnotherAnswerMakesTheConnectionAgain() throws Exception {
    afterAPing(FailurePolicy.WRONG_PING_ACK);
  }

  private void afterAPing(FailurePolicy policy) throws Exception {
    bed.relaySettings(new RelaySettings(PATIENCE, Duration.ofSeconds(3), IDLE, 64 * 1024, 1));
    ScriptedRmiServer server = bed.scripted(policy);
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.call(1, Calls.list(), VOID_RETURN);
    beIdle();
    agent.call(1, Calls.lookup("second"), VOID_RETURN);
    assertThat(server.connections()).hasSize(2);
    assertThat(server.connections().get(0).received())
        .isEqualTo(Calls.join(Calls.list(), new byte[] {Jrmp.PING}));
    assertThat(server.connections().get(1).received()).isEqualTo(Calls.lookup("second"));
    TestAgent.awaitThat(server.connections().get(0)::ended);
  }

  @Test
  void aCallOfWhichBytesWereWrittenIsNeverSentAgain() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.CLOSE_AFTER_CALL);
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    for (int request = 1; request <= 20; request++) {
      int expected = request;
      agent.request(1, Calls.list());
      TestAgent.awaitThat(() -> agent.returnEnds(1).size() == expected);
      assertThat(agent.returnEnds(1).get(request - 1).request()).isEqualTo(request);
    }
    assertThat(server.connections()).hasSize(20);
    assertThat(server.received()).hasSize(20 * Calls.list().length);
  }

  @Test
  void aCallThatWaitsForItsAnswerIsNotSaidToHaveReachedNobodyWhateverFollowsIt() throws Exception {
    pingSoon();
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NEVER_ANSWER);
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.request(1, Calls.list());
    TestAgent.awaitThat(() -> server.received().length == Calls.list().length);
    server.policy(FailurePolicy.NO_PING_ACK); // as one that executes the call meanwhile
    beIdle();
    byte[] ack = Calls.dgcAck(1 + Jrmp.UID_BYTES);
    agent.request(1, ack);
    TestAgent.awaitThat(() -> server.received().length > Calls.list().length);
    server.close();
    TestAgent.awaitThat(() -> !agent.returnEnds(1).isEmpty() || !agent.refusals(1).isEmpty());
    assertThat(agent.refusals(1)).isEmpty();
    assertThat(server.received()).isEqualTo(Calls.join(Calls.list(), ack));
  }

  @Test
  void noExecutionIsRepeatedWhileTheServerKeepsClosing() throws Exception {
    LedgerServer server = bed.ledger();
    int returned = server.plainly(server.execute("plainly")).length;
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    int answered = 0;
    for (int i = 0; i < 100; i++) {
      String id = "call-" + i;
      int request = i + 1;
      long whole = agent.port().dataBytes(1) + returned;
      agent.request(1, server.execute(id));
      if (i % 3 == 0) {
        server.dropConnections();
      }
      // A part of a Return is no end of the request: its connection may be dropped behind it, or
      // before it could take the request at all.
      TestAgent.awaitThat(
          () ->
              agent.port().dataBytes(1) >= whole
                  || agent.returnEnds(1).stream().anyMatch(end -> end.request() == request)
                  || agent.refusals(1).stream().anyMatch(end -> end.request() == request));
      answered += agent.port().dataBytes(1) >= whole ? 1 : 0;
      assertThat(server.executions(id)).isLessThanOrEqualTo(1);
    }
    assertThat(answered).isPositive();
  }

  private void pingSoon() {
    bed.relaySettings(new RelaySettings(PATIENCE, PATIENCE, IDLE, 64 * 1024, 1));
  }

  /** Longer than the connection may be unused without a ping. */
  private static void beIdle() throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(IDLE.toMillis() + 50);
  }

  private static byte[] withoutUid(byte[] reply) {
    byte[] copy = reply.clone();
    Arrays.fill(copy, 8, 8 + Jrmp.UID_BYTES, (byte) 0);
    return copy;
  }
}

package io.rmigate.gateway.session;

import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.relay.FailurePolicy;
import io.rmigate.gateway.relay.RelaySettings;
import io.rmigate.gateway.relay.ScriptedRmiServer;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.gateway.stream.TunnelStream;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Open;
import io.rmigate.protocol.tunnel.RefusalReason;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Connections live once: what is heard of one that is over concerns no later request, and no byte
 * goes over another one in its place.
 *
 * <p>A test that holds the stream's lock holds up the relay at the moment in which it wants to tell
 * the stream something: what it tells then is late.
 */
class StaleConnectionsTest {
  private static final int VOID_RETURN = 22;

  /** Parsed to its end, and sent SingleOp all the same. */
  private static final byte[] SPELLS_ANOTHER_CALL =
      Calls.method(LearningServer.OBJECT, "v()V", out -> out.writeObject(Calls.list()));

  @RegisterExtension final SessionBed bed = new SessionBed();

  @BeforeEach
  void pingNothing() {
    bed.relaySettings(
        new RelaySettings(
            Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofDays(1), 64 * 1024, 1));
  }

  @Test
  void theLateEndOfAConnectionIsNoEndOfTheNextRequest() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    TestAgent agent = bed.agent();
    TunnelStream stream = streamTo(server, agent);
    stream.onData(Calls.list(), true);
    agent.awaitData(1, VOID_RETURN);
    stream.lock().lock();
    try {
      server.connections().get(0).reset();
      awaitHere(stream.lock()::hasQueuedThreads); // the relay has seen it
      stream.onData(Calls.lookup("second"), true);
      assertThat(stream.view().state()).isNotEqualTo("READY"); // another connection
    } finally {
      stream.lock().unlock();
    }
    agent.awaitData(1, 2 * VOID_RETURN);
    assertThat(agent.returnEnds(1)).isEmpty();
    assertThat(server.connections()).hasSize(2);
    assertThat(server.connections().get(0).received()).isEqualTo(Calls.list());
    assertThat(server.connections().get(1).received()).isEqualTo(Calls.lookup("second"));
    stream.end();
  }

  /**
   * Leaves only a wildcard, which never leads to this machine: the route changes, the name does
   * not.
   */
  private void leadElsewhere() {
    bed.policy(new TargetGrant(Set.of("*"), List.of("*.example:*"), SessionBed.READING));
  }

  @Test
  void aCallWhoseConnectionIsLeftForAnAcknowledgementEndsAsIfItsServerHadGone() throws Exception {
    bed.names(host -> new InetAddress[] {InetAddress.getLoopbackAddress()});
    bed.policy(new TargetGrant(Set.of("*"), List.of("server.example:*"), SessionBed.READING));
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NEVER_ANSWER);
    TestAgent agent = bed.agent();
    agent.open(1, "server.example", server.port());
    agent.request(1, Calls.list());
    await().until(() -> server.received().length == Calls.list().length);
    leadElsewhere();
    agent.request(1, Calls.dgcAck(15));
    assertThat(agent.awaitReturnEnd(1).request()).isEqualTo(1);
    await().until(server::allEnded);
    assertThat(server.received()).isEqualTo(Calls.list());
  }

  @Test
  void aCallThatWaitsForAConnectionThatIsLeftForAnAcknowledgementIsRefused() throws Exception {
    CountDownLatch answered = new CountDownLatch(1);
    bed.names(
        host -> {
          awaitUninterruptibly(answered);
          throw new UnknownHostException(host);
        });
    bed.policy(new TargetGrant(Set.of("*"), List.of("server.example:*"), SessionBed.READING));
    TestAgent agent = bed.agent();
    agent.open(1, "server.example", 1099);
    agent.request(1, Calls.list());
    leadElsewhere();
    agent.request(1, Calls.dgcAck(15));
    agent.expectRefused(1, 1, RefusalReason.CONNECTION_REFUSED);
    assertThat(agent.returnEnds(1)).isEmpty();
    answered.countDown();
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void theLateRefusalOfAConnectionIsNoRefusalOfTheNextRequest() throws Exception {
    afterALateRefusal(Calls.list(), List.of(Jrmp.STREAM_PROTOCOL));
  }

  @Test
  void anIsolatedCallGoesThroughAfterTheRefusalOfTheStreamsOwnConnection() throws Exception {
    afterALateRefusal(SPELLS_ANOTHER_CALL, List.of(Jrmp.STREAM_PROTOCOL, Jrmp.SINGLE_OP_PROTOCOL));
  }

  private void afterALateRefusal(byte[] call, List<Integer> protocols) throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    TestAgent agent = bed.agent();
    TunnelStream stream = streamTo(server, agent);
    allow("127.*:*"); // the target is permitted, its address is not
    stream.lock().lock();
    try {
      stream.onData(Calls.dgcAck(15), true);
      awaitHere(() -> stream.view().state().equals("CLOSED"));
      awaitHere(stream.lock()::hasQueuedThreads);
      allow("127.0.0.1:*");
      stream.onData(call, true);
    } finally {
      stream.lock().unlock();
    }
    agent.awaitData(1, VOID_RETURN);
    assertThat(agent.refusals(1)).isEmpty();
    assertThat(server.connections())
        .extracting(ScriptedRmiServer.Connection::protocol)
        .isEqualTo(protocols);
    assertThat(server.received()).isEqualTo(call);
    stream.end();
  }

  @Test
  void theRestOfACallThatLostItsConnectionGoesOverNoOther() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NEVER_ANSWER);
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    int beginning = beginLongCall(agent);
    TestAgent.awaitThat(
        () ->
            server.connections().size() == 2
                && server.connections().get(1).receivedBytes() == beginning);
    server.connections().get(1).close();
    assertThat(agent.awaitReturnEnd(1).request()).isEqualTo(1);
    server.policy(FailurePolicy.NONE);
    assertThatTheRestIsDropped(agent);
    assertThat(server.connections()).hasSize(2);
    assertThat(server.connections().get(0).received()).isEqualTo(Calls.list());
    assertThat(server.connections().get(1).receivedBytes()).isEqualTo(beginning);
  }

  @Test
  void theRestOfACallThatWasRefusedGoesOverNoOther() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.HTTP);
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    beginLongCall(agent);
    agent.expectRefused(1, 1, RefusalReason.NOT_JRMP);
    server.policy(FailurePolicy.NONE);
    assertThatTheRestIsDropped(agent);
    assertThat(server.connections()).hasSize(2);
    assertThat(server.received()).isEqualTo(Calls.list());
  }

  /** More than is held back, in frames. */
  private static int beginLongCall(TestAgent agent) {
    byte[] call =
        Calls.method(LearningServer.OBJECT, "v()V", out -> out.writeObject(new byte[80 * 1024]));
    for (int from = 0; from < 70 * 1024; from += 10 * 1024) {
      agent.part(1, Arrays.copyOfRange(call, from, from + 10 * 1024));
    }
    return 70 * 1024;
  }

  /** What is left of the request is spelled as Calls; then comes an honest one. */
  private static void assertThatTheRestIsDropped(TestAgent agent) {
    agent.part(1, Calls.lookup("smuggled"));
    agent.say(new Data(1, true, Calls.lookup("smuggled")));
    agent.call(1, Calls.list(), VOID_RETURN);
  }

  @Test
  void aPausedConnectionThatDoesNotAnswerIsResumedAllTheSame() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    TestAgent agent = bed.stranger();
    agent.hello(10);
    agent.awaitWelcome();
    agent.open(1, server.port());
    agent.open(3, server.port());
    agent.credit(3, 1000);
    agent.call(3, Calls.list(), VOID_RETURN);
    agent.request(1, Calls.list());
    agent.awaitData(1, 10); // paused with the rest of the Return unread
    agent.request(1, SPELLS_ANOTHER_CALL);
    TestAgent.awaitThat(
        () ->
            server.connections().size() == 3
                && server.connections().get(2).receivedBytes() == SPELLS_ANOTHER_CALL.length);
    agent.credit(1, 1000);
    agent.awaitData(1, 10 + VOID_RETURN);
    agent.call(3, Calls.list(), VOID_RETURN); // the relay has gone round meanwhile
    agent.call(1, Calls.list(), VOID_RETURN); // over the connection that was paused
    assertThat(server.connections()).hasSize(3);
    assertThat(server.connections().get(1).received())
        .isEqualTo(Calls.join(Calls.list(), Calls.list()));
  }

  /** A stream of the agent's session that only the test knows. */
  private static TunnelStream streamTo(ScriptedRmiServer server, TestAgent agent) {
    Open open = new Open(1, "127.0.0.1", server.port(), Duration.ZERO, Duration.ZERO);
    return new TunnelStream(agent.session().context(), open, TestAgent.CREDIT, TestAgent.CREDIT);
  }

  private void allow(String pattern) {
    bed.policy(new TargetGrant(Set.of("*"), List.of(pattern), SessionBed.READING));
  }

  /** On this thread, which holds the lock. */
  private static void awaitHere(Callable<Boolean> condition) {
    await().pollInSameThread().until(condition);
  }
}

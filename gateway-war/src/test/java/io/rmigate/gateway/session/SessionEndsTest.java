package io.rmigate.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.relay.FailurePolicy;
import io.rmigate.gateway.relay.ScriptedRmiServer;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Drain;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.Goodbye;
import io.rmigate.protocol.tunnel.Heartbeat;
import io.rmigate.protocol.tunnel.HeartbeatAck;
import io.rmigate.protocol.tunnel.Leaving;
import io.rmigate.protocol.tunnel.Welcome;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How sessions begin and how they end, by PROTOCOL.md section 6. */
class SessionEndsTest {
  @RegisterExtension final SessionBed bed = new SessionBed();

  @Test
  void theWelcomeSaysWhatTheSessionMayUse() {
    TestAgent agent = bed.agent();
    Welcome welcome = agent.port().frames(Welcome.class).get(0);
    assertThat(welcome.version()).isEqualTo(1);
    assertThat(welcome.features()).containsExactly(Feature.DEADLINES); // as was offered
    assertThat(welcome.streamCredit()).isEqualTo(bed.settings().limits().streamCredit());
    assertThat(welcome.properties())
        .containsEntry(Welcome.INNER_HOST, "gw.inner")
        .containsEntry(Welcome.SESSION_ID, bed.registry().sessions().get(0).id());
    TestAgent other = bed.agent();
    assertThat(other.port().frames(Welcome.class).get(0).session()).isNotEqualTo(welcome.session());
  }

  @ParameterizedTest
  @CsvSource({"2, 3", "0, 0", "2, 1", "255, 255"})
  void versionsWithoutOursAreUnsupported(int lowest, int highest) {
    TestAgent agent = bed.stranger();
    agent.say(TestAgent.greeting(lowest, highest, 1024));
    expectEnd(agent, CloseCause.UNSUPPORTED_VERSION);
    assertThat(agent.awaitGoodbye().text()).contains("version 1");
    assertThat(agent.port().frames()).hasSize(1);
  }

  @Test
  void aRangeWithOurVersionIsWelcome() {
    TestAgent agent = bed.stranger();
    agent.say(TestAgent.greeting(0, 255, 1024));
    agent.awaitWelcome();
  }

  @Test
  void aHelloThatDoesNotComeInTimeEndsTheSession() {
    bed.settings(settings(Duration.ofSeconds(15), Duration.ofMillis(100), 10, 10));
    TestAgent agent = bed.stranger();
    agent.sayBytes(new byte[] {1, 0});
    expectEnd(agent, CloseCause.HELLO_TIMEOUT);
  }

  @Test
  void threeHeartbeatsOfSilenceEndTheSession() throws Exception {
    bed.settings(settings(Duration.ofSeconds(1), Duration.ofSeconds(10), 10, 10));
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.call(1, Calls.list(), 22);
    bed.pass(Duration.ofSeconds(3));
    expectEnd(agent, CloseCause.SILENCE);
    TestAgent.awaitThat(server::allEnded);
  }

  @Test
  void heartbeatsAreAnsweredByTheirNumbersAndKeepTheSession() throws Exception {
    bed.settings(settings(Duration.ofSeconds(1), Duration.ofSeconds(10), 10, 10));
    TestAgent agent = bed.agent();
    for (long number = 1; number <= 18; number++) {
      agent.say(new Heartbeat(number * 1_000_000_007));
      bed.pass(Duration.ofMillis(200)); // more than three heartbeats in all
    }
    assertThat(agent.port().closed()).isNull();
    assertThat(agent.port().frames(HeartbeatAck.class))
        .hasSize(18)
        .first()
        .isEqualTo(new HeartbeatAck(1_000_000_007));
  }

  @Test
  void aPrincipalHasNoMoreSessionsThanAllowed() {
    bed.settings(settings(Duration.ofSeconds(15), Duration.ofSeconds(10), 2, 10));
    tooManyBeyondTwo();
  }

  @Test
  void thereAreNoMoreSessionsThanAllowed() {
    bed.settings(settings(Duration.ofSeconds(15), Duration.ofSeconds(10), 10, 2));
    tooManyBeyondTwo();
  }

  private void tooManyBeyondTwo() {
    TestAgent first = bed.agent();
    bed.agent();
    for (int i = 0; i < 3; i++) {
      TestAgent third = bed.stranger();
      third.hello();
      expectEnd(third, CloseCause.TOO_MANY_SESSIONS);
    }
    first.say(new Goodbye(CloseCause.DONE, ""));
    expectEnd(first, CloseCause.DONE);
    bed.agent();
    TestAgent fourth = bed.stranger();
    fourth.hello();
    expectEnd(fourth, CloseCause.TOO_MANY_SESSIONS);
  }

  @Test
  void theAdmissionOfASessionThatEndsDuringItsHelloIsGivenBack() {
    bed.settings(settings(Duration.ofSeconds(15), Duration.ofSeconds(10), 1, 1));
    TestAgent lost = bed.stranger();
    bed.whenAdmitted(() -> lost.session().onTransportClosed());
    lost.hello();
    assertThat(lost.port().closed()).isEqualTo(CloseCause.LINK_LOST);
    assertThat(lost.port().frames()).isEmpty();
    assertThat(bed.sessionsCounted()).isZero();
    bed.whenAdmitted(() -> {});
    bed.agent();
    TestAgent second = bed.stranger();
    second.hello();
    expectEnd(second, CloseCause.TOO_MANY_SESSIONS); // it was given back once, not twice
    assertThat(bed.sessionsCounted()).isEqualTo(1);
  }

  @Test
  void theGoodbyeLeavesBehindWhatWasQueuedWhileASendWasUnderWay() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.port().sends(RecordingLinkPort.Sends.STUCK);
    agent.say(new Heartbeat(1)); // its answer is stuck
    agent.say(new Heartbeat(2));
    agent.request(1, Calls.list());
    TestAgent.awaitThat(() -> agent.session().view().streams().get(0).bytesToClient() == 22);
    agent.sayBytes(new byte[] {0x7f, 0, 0}); // a violation
    assertThat(bed.registry().sessions()).isEmpty();
    assertThat(agent.port().closed()).isNull();
    agent.say(new Heartbeat(3)); // too late: it is not answered
    agent.port().release(RecordingLinkPort.Sends.LATER);
    expectEnd(agent, CloseCause.PROTOCOL_VIOLATION);
    assertThat(agent.port().closedBehindAll()).isTrue();
    assertThat(agent.port().dataBytes(1)).isEqualTo(22);
    assertThat(agent.port().frames(HeartbeatAck.class))
        .containsExactly(new HeartbeatAck(1), new HeartbeatAck(2));
    List<Frame> frames = agent.port().frames();
    assertThat(frames.get(frames.size() - 1)).isInstanceOf(Goodbye.class);
  }

  @Test
  void aGoodbyeThatCannotLeaveKeepsTheLinkNoLongerThanItsBound() {
    TestAgent agent = bed.agent();
    agent.port().sends(RecordingLinkPort.Sends.STUCK);
    agent.say(new Heartbeat(1));
    agent.sayBytes(new byte[] {0x7f, 0, 0});
    assertThat(agent.port().closed()).isNull();
    bed.pass(SessionClock.LAST_WORDS);
    TestAgent.awaitThat(() -> agent.port().closed() == CloseCause.PROTOCOL_VIOLATION);
    agent.port().release(RecordingLinkPort.Sends.INLINE);
    assertThat(agent.port().frames(Goodbye.class)).isEmpty();
  }

  @Test
  void aGoodbyeOnALinkThatBreaksClosesItAtOnce() {
    TestAgent agent = bed.agent();
    agent.port().sends(RecordingLinkPort.Sends.STUCK);
    agent.say(new Heartbeat(1));
    agent.sayBytes(new byte[] {0x7f, 0, 0});
    assertThat(agent.port().closed()).isNull();
    agent.port().breakStuckSend(new IOException("scripted: broken"));
    assertThat(agent.port().closed()).isEqualTo(CloseCause.PROTOCOL_VIOLATION);
  }

  @Test
  void closingTheRegistryWaitsForGoodbyesThatAreLeaving() {
    TestAgent agent = bed.agent(RecordingLinkPort.Sends.LATER);
    bed.registry().close();
    assertThat(agent.port().frames(Goodbye.class))
        .containsExactly(new Goodbye(CloseCause.DRAINING, ""));
    assertThat(agent.port().closedBehindAll()).isTrue();
  }

  @Test
  void aGoodbyeEndsEverything() throws Exception {
    endsEverything(agent -> agent.say(new Goodbye(CloseCause.DONE, "")), CloseCause.DONE);
  }

  @Test
  void theLossOfTheTransportEndsEverything() throws Exception {
    endsEverything(agent -> agent.session().onTransportClosed(), CloseCause.LINK_LOST);
  }

  private void endsEverything(Consumer<TestAgent> ending, CloseCause cause) throws Exception {
    LedgerServer server = bed.ledger();
    ScriptedRmiServer silent = bed.scripted(FailurePolicy.NEVER_ACK);
    TestAgent agent = bed.agent();
    for (int stream = 1; stream <= 7; stream += 2) {
      agent.open(stream, server.port());
      agent.call(stream, server.tick(), 22);
    }
    agent.open(9, server.port());
    agent.request(9, server.await());
    agent.open(11, silent.port());
    agent.request(11, Calls.list());
    TestAgent.awaitThat(() -> server.waiting() == 1 && silent.connections().size() == 1);
    ending.accept(agent);
    TestAgent.awaitThat(() -> agent.port().closed() == cause);
    assertThat(bed.registry().sessions()).isEmpty();
    TestAgent.awaitThat(silent::allEnded);
    server.openGate(); // the server notices when it writes
    TestAgent.awaitThat(server::allConnectionsClosed);
    // What still comes is ignored, and ending again changes nothing.
    agent.open(13, server.port());
    agent.session().onTransportClosed();
    assertThat(agent.port().closed()).isEqualTo(cause);
  }

  // Draining.

  @Test
  void drainingWaitsForCallsInFlightAndLetsNobodyIn() throws Exception {
    LedgerServer server = bed.ledger();
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.request(1, server.await());
    TestAgent.awaitThat(() -> server.waiting() == 1);
    CompletableFuture<Void> draining = drain(Duration.ofSeconds(60));
    TestAgent.awaitThat(() -> !agent.port().frames(Drain.class).isEmpty());
    assertThat(agent.port().frames(Drain.class).get(0).within()).isEqualTo(Duration.ofSeconds(60));
    TestAgent late = bed.stranger();
    late.hello();
    expectEnd(late, CloseCause.DRAINING);
    assertThat(agent.port().closed()).isNull();
    bed.pass(DrainProgress.PATIENCE);
    assertThat(draining).isNotDone();
    server.openGate();
    agent.awaitData(1, 22);
    expectEnd(agent, CloseCause.DRAINING);
    draining.get(60, TimeUnit.SECONDS);
    assertThat(bed.registry().sessions()).isEmpty();
  }

  @Test
  void drainingEndsWhatTakesTooLong() throws Exception {
    LedgerServer server = bed.ledger();
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.request(1, server.await());
    TestAgent.awaitThat(() -> server.waiting() == 1);
    drain(Duration.ofMillis(300)).get(60, TimeUnit.SECONDS);
    expectEnd(agent, CloseCause.DRAINING);
  }

  @Test
  void drainingWithoutCallsEndsSoonWhateverTheAgentSays() throws Exception {
    TestAgent agent = bed.agent();
    CompletableFuture<Void> draining = drain(Duration.ofMinutes(10));
    TestAgent.awaitThat(() -> !agent.port().frames(Drain.class).isEmpty());
    bed.pass(DrainProgress.PATIENCE);
    draining.get(60, TimeUnit.SECONDS);
    expectEnd(agent, CloseCause.DRAINING);
  }

  @Test
  void drainingDoesNotWaitForAJvmThatHasSaidItEndsAndIsSilent() throws Exception {
    LedgerServer server = bed.ledger();
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.request(1, server.await());
    TestAgent.awaitThat(() -> server.waiting() == 1);
    agent.port().deserted(Duration.ofSeconds(3));
    agent.say(new Leaving());

    drain(Duration.ofMinutes(10)).get(60, TimeUnit.SECONDS);

    assertThat(agent.port().closed()).isEqualTo(CloseCause.LINK_LOST);
  }

  @Test
  void drainingLetsTheLastRequestsComeWithWhichTheAgentAnswers() throws Exception {
    LedgerServer server = bed.ledger();
    TestAgent agent = bed.agent();
    TestAgent other = bed.agent();
    CompletableFuture<Void> draining = drain(Duration.ofMinutes(10));
    TestAgent.awaitThat(() -> !agent.port().frames(Drain.class).isEmpty());
    agent.open(1, server.port());
    agent.request(1, server.await());
    agent.say(new Drain(Duration.ZERO));
    TestAgent.awaitThat(() -> server.waiting() == 1);

    TestAgent.awaitThat(() -> !other.port().frames(Drain.class).isEmpty());
    other.say(new Drain(Duration.ZERO));

    expectEnd(other, CloseCause.DRAINING); // it has nothing to wait for
    assertThat(agent.port().closed()).isNull();
    server.openGate();
    agent.awaitData(1, 22);
    expectEnd(agent, CloseCause.DRAINING);
    draining.get(60, TimeUnit.SECONDS);
  }

  @Test
  void anAgentThatHasNotSaidHelloIsNotToldOfTheDraining() throws Exception {
    TestAgent stranger = bed.stranger();
    drain(Duration.ofSeconds(1)).get(60, TimeUnit.SECONDS);
    expectEnd(stranger, CloseCause.DRAINING);
    assertThat(stranger.port().frames()).hasSize(1);
  }

  @Test
  void drainingWaitsForTheRestOfAReturn() throws Exception {
    LedgerServer server = bed.ledger();
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    int length = 22 + 24 + (1 << 20);
    agent.request(1, server.give(1 << 20));
    agent.awaitData(1, TestAgent.CREDIT);
    CompletableFuture<Void> draining = drain(Duration.ofSeconds(60));
    TestAgent.awaitThat(() -> !agent.port().frames(Drain.class).isEmpty());
    bed.pass(DrainProgress.PATIENCE);
    for (int given = TestAgent.CREDIT; given < length; given += TestAgent.CREDIT) {
      agent.credit(1, TestAgent.CREDIT);
      agent.awaitData(1, Math.min(length, given + TestAgent.CREDIT));
    }
    draining.get(60, TimeUnit.SECONDS);
    expectEnd(agent, CloseCause.DRAINING);
  }

  private CompletableFuture<Void> drain(Duration within) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            bed.registry().drain(within);
          } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
          }
        });
  }

  private void expectEnd(TestAgent agent, CloseCause cause) {
    assertThat(agent.awaitGoodbye().cause()).isEqualTo(cause);
    TestAgent.awaitThat(() -> agent.port().closed() != null);
    assertThat(agent.port().closed()).isEqualTo(cause);
  }

  private static SessionSettings settings(
      Duration heartbeat, Duration helloTimeout, int perPrincipal, int inAll) {
    return new SessionSettings(
        heartbeat,
        helloTimeout,
        new SessionSettings.Limits(256 * 1024, 64, perPrincipal, inAll),
        Duration.ofSeconds(60),
        Duration.ZERO,
        SessionSettings.DEFAULTS.choresPerSecond());
  }
}

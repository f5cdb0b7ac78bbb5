package io.rmigate.gateway.session;

import static io.rmigate.gateway.session.TestAgent.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.relay.FailurePolicy;
import io.rmigate.gateway.relay.ScriptedRmiServer;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.tunnel.Close;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Deadline;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Open;
import io.rmigate.protocol.tunnel.RefusalReason;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the gateway does about calls whose time is over: PROTOCOL.md, section 7, "Deadlines". */
class DeadlinesTest {
  private static final Duration SHORT = Duration.ofMillis(150);

  /** Enough for a call to reach its server on a machine that is busy. */
  private static final Duration ENOUGH_TO_ARRIVE = Duration.ofSeconds(5);

  private static final Duration LONG = Duration.ofMinutes(10);
  private static final ObjIdentifier OBJECT = new ObjIdentifier(7, 1, 2, (short) 3);
  private static final byte[] CALL = Calls.method(OBJECT, "m()V", out -> {});

  @RegisterExtension final SessionBed bed = new SessionBed();

  /** So long that nothing but the alarm itself can have sent its words. */
  @BeforeEach
  void noTickFlushes() {
    SessionSettings usual = SessionSettings.DEFAULTS;
    bed.settings(
        new SessionSettings(
            Duration.ofHours(1),
            usual.helloTimeout(),
            new SessionSettings.Limits(
                usual.limits().streamCredit(),
                usual.limits().maxStreams(),
                usual.limits().maxSessionsPerPrincipal(),
                usual.limits().maxSessions()),
            usual.sendTimeout(),
            usual.grace(),
            SessionSettings.DEFAULTS.choresPerSecond()));
  }

  @Test
  void aCallWithoutAConnectionInTimeIsRefusedAndNoServerHasSeenIt() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NEVER_ACK);
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    request(agent, 1, 1, SHORT, CALL);

    agent.expectRefused(1, 1, RefusalReason.CALL_TIMEOUT);
    awaitThat(server::allEnded);
    assertThat(server.received()).isEmpty();
    server.policy(FailurePolicy.NONE);
    request(agent, 1, 2, LONG, CALL);
    agent.awaitData(1, ScriptedRmiServer.VOID_RETURN.length);
    assertThat(server.received()).isEqualTo(CALL);
  }

  @Test
  void aCallWithoutAReturnInTimeEndsItsStreamAndItsConnection() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NEVER_ANSWER);
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    request(agent, 1, 1, ENOUGH_TO_ARRIVE, CALL);

    agent.expectClose(1, CloseCause.CALL_TIMEOUT);
    assertThat(server.received()).isEqualTo(CALL);
    awaitThat(server::allEnded);
    Deadline told = agent.port().frames(Deadline.class).get(0);
    assertThat(told.stream()).isEqualTo(1);
    assertThat(told.request()).isEqualTo(1);
    assertThat(told.time()).isLessThan(ENOUGH_TO_ARRIVE);
    assertThat(agent.refusals(1)).isEmpty();
    agent.close(1);
  }

  @Test
  void aCallThatNeedsAConnectionOfItsOwnIsRefusedWhileThereIsNone() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NEVER_ACK);
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    byte[] spelling = Calls.join(CALL, new byte[0]);
    request(agent, 1, 1, SHORT, Calls.method(OBJECT, "m([B)V", out -> out.writeObject(spelling)));

    agent.expectRefused(1, 1, RefusalReason.CALL_TIMEOUT);
    awaitThat(server::allEnded);
    assertThat(bed.isolatedCalls()).isEqualTo(1);
    assertThat(server.received()).isEmpty();
  }

  @Test
  void aRequestWhoseEndDoesNotComeInTimeIsRefusedAndItsRestIsDropped() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.say(new Deadline(1, 1, SHORT), new Data(1, false, Arrays.copyOf(CALL, 20)));

    agent.expectRefused(1, 1, RefusalReason.CALL_LATE);
    agent.say(new Data(1, true, Arrays.copyOfRange(CALL, 20, CALL.length)));
    request(agent, 1, 2, LONG, CALL);
    agent.awaitData(1, ScriptedRmiServer.VOID_RETURN.length);
    assertThat(server.received()).isEqualTo(CALL);
  }

  @Test
  void aRequestThatComesTooLateIsRefused() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    request(agent, 1, 1, Duration.ZERO, CALL);

    agent.expectRefused(1, 1, RefusalReason.CALL_LATE);
    assertThat(server.connections()).isEmpty();
  }

  @Test
  void withTheFirstByteOfTheReturnTheGatewaysPartIsOver() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NEVER_ANSWER);
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    request(agent, 1, 1, ENOUGH_TO_ARRIVE, CALL);
    awaitThat(() -> server.received().length == CALL.length);
    server.connections().get(0).say(Arrays.copyOf(ScriptedRmiServer.VOID_RETURN, 1));

    agent.awaitData(1, 1);
    awaitThat(() -> bed.registry().alarms() == 0);
    assertThat(agent.port().frames(Close.class)).isEmpty();
    assertThat(server.allEnded()).isFalse();
  }

  @Test
  void callsThatFollowEachOtherNeedOneAlarmTogether() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    int answer = ScriptedRmiServer.VOID_RETURN.length;
    for (int request = 1; request <= 50; request++) {
      request(agent, 1, request, LONG, CALL);
      agent.awaitData(1, request * answer);
      assertThat(bed.registry().alarms()).isEqualTo(1);
    }
    agent.close(1);
    assertThat(bed.registry().alarms()).isZero();
  }

  @Test
  void aShorterDeadlineBehindALongOneIsKept() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    request(agent, 1, 1, LONG, CALL);
    agent.awaitData(1, ScriptedRmiServer.VOID_RETURN.length);
    server.policy(FailurePolicy.NEVER_ANSWER);
    request(agent, 1, 2, ENOUGH_TO_ARRIVE, CALL);

    agent.expectClose(1, CloseCause.CALL_TIMEOUT);
    agent.close(1);
    assertThat(bed.registry().alarms()).isZero();
  }

  @Test
  void aTightLoopOfTimeoutsLeavesNothing() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NEVER_ANSWER);
    TestAgent agent = bed.agent();
    for (int stream = 1; stream < 100; stream += 2) {
      agent.open(stream, server.port());
      request(agent, stream, 1, Duration.ofMillis(20), CALL);
    }
    for (int stream = 1; stream < 100; stream += 2) {
      int number = stream;
      awaitThat(
          () ->
              !agent.refusals(number).isEmpty()
                  || agent.port().frames(Close.class).stream()
                      .anyMatch(close -> close.stream() == number));
      agent.close(stream);
    }
    awaitThat(server::allEnded);
    assertThat(bed.registry().alarms()).isZero();
    assertThat(bed.registry().sessions().get(0).streams()).isEmpty();
  }

  @Test
  void aDeadlineThatIsNotOfTheNextRequestIsAViolation() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    TestAgent twice = bed.agent();
    twice.open(1, server.port());
    twice.say(new Deadline(1, 2, LONG));
    assertThat(twice.awaitGoodbye().cause()).isEqualTo(CloseCause.PROTOCOL_VIOLATION);
    TestAgent inside = bed.agent();
    inside.open(1, server.port());
    inside.say(new Data(1, false, Arrays.copyOf(CALL, 5)), new Deadline(1, 2, LONG));
    assertThat(inside.awaitGoodbye().cause()).isEqualTo(CloseCause.PROTOCOL_VIOLATION);
    TestAgent nowhere = bed.agent();
    nowhere.say(new Deadline(1, 1, LONG));
    assertThat(nowhere.awaitGoodbye().cause()).isEqualTo(CloseCause.PROTOCOL_VIOLATION);
  }

  @Test
  void aDeadlineThatWasNotAgreedOnIsAViolation() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    TestAgent agent = bed.stranger();
    agent.hello(Feature.RAW_STREAMS);
    assertThat(agent.welcome().features()).containsExactly(Feature.RAW_STREAMS);
    agent.open(1, server.port());
    agent.say(new Deadline(1, 1, LONG));
    assertThat(agent.awaitGoodbye().cause()).isEqualTo(CloseCause.PROTOCOL_VIOLATION);
  }

  @Test
  void theEndOfASessionEndsItsAlarms() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NEVER_ANSWER);
    TestAgent agent = bed.agent();
    agent.say(new Open(1, "127.0.0.1", server.port(), Duration.ZERO, Duration.ZERO));
    request(agent, 1, 1, LONG, CALL);
    assertThat(bed.registry().alarms()).isEqualTo(1);
    agent.session().end(CloseCause.DONE, "");
    assertThat(bed.registry().alarms()).isZero();
  }

  private static void request(
      TestAgent agent, int stream, long number, Duration left, byte[] call) {
    agent.say(new Deadline(stream, number, left), new Data(stream, true, call));
  }
}

package io.rmigate.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.policy.Rulebook;
import io.rmigate.gateway.policy.rule.ClassMode;
import io.rmigate.gateway.policy.rule.ClassSettings;
import io.rmigate.gateway.policy.rule.Entry;
import io.rmigate.gateway.policy.rule.LearningLog;
import io.rmigate.gateway.policy.rule.LongCallSettings;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.gateway.testing.ClassJar;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.RefusalReason;
import io.rmigate.protocol.tunnel.Tunnel;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Calls with long arrays and strings, where nothing is configured but the jar of the interface. */
class LongValuesInSessionsTest {
  private static final int INT_RETURN = 26;
  private static final int VOID_RETURN = 22;
  private static final int LIMIT = 128 * 1024;
  private static final int LONG = 1 << 20;

  @RegisterExtension final SessionBed bed = new SessionBed();
  @TempDir Path directory;

  private LedgerServer server;
  private TestAgent agent;

  /** Bytes that were sent on the first stream. */
  private long sent;

  @BeforeEach
  void start() throws Exception {
    server = bed.ledger();
    enforce(LongCallSettings.DEFAULT, false);
    agent = bed.agent();
    agent.open(1, server.port());
  }

  private void enforce(LongCallSettings longCalls, boolean stream) throws IOException {
    ClassSettings settings =
        new ClassSettings(
                ClassMode.ENFORCE,
                List.of(),
                List.of(),
                Optional.of(ClassJar.in(directory, Ledger.class)),
                LIMIT)
            .withLongCalls(longCalls);
    bed.policy(
        Rulebook.of(settings, LearningLog.NOTHING),
        new TargetGrant(
            Set.of("*"),
            List.of("127.0.0.1:*"),
            SessionBed.ALL,
            Entry.enforced().stream(stream).rules()));
  }

  /** Never more than there is credit for. */
  private void send(byte[] bytes, boolean last) {
    int from = 0;
    while (from < bytes.length) {
      int length = Math.min(Tunnel.MAX_BODY_BYTES, bytes.length - from);
      long most = SessionSettings.DEFAULTS.limits().streamCredit() - sent - length;
      TestAgent.awaitThat(() -> agent.creditGiven(1) + most >= 0);
      byte[] part = Arrays.copyOfRange(bytes, from, from + length);
      from += length;
      sent += length;
      agent.say(new Data(1, last && from == bytes.length, part));
    }
  }

  private void assertNothingIsHeld() {
    TestAgent.awaitThat(() -> bed.registry().heldBytes().taken() == 0);
    assertThat(agent.session().context().share().room().claimed().taken()).isZero();
    assertThat(bed.registry().alarms()).isZero();
  }

  /** Not one of its arguments has reached the method, and the next call of the stream passes. */
  private void assertCertainlyNotExecuted(RefusalReason reason, String word) {
    agent.expectRefused(1, 1, reason);
    assertThat(agent.awaitRefused(1, 0).text()).doesNotContain("executed");
    assertThat(bed.refused(word)).isEqualTo(1);
    send(server.execute("next"), true);
    agent.awaitData(1, INT_RETURN);
    assertThat(server.taken()).isZero();
    assertNothingIsHeld();
  }

  @Test
  void aLongArrayPassesWithoutALine() {
    send(server.swallow(new byte[3 * LONG]), true);
    agent.awaitReturnEnd(1);
    assertThat(agent.awaitData(1, INT_RETURN)).hasSize(INT_RETURN);
    assertThat(bed.isolatedCalls()).isEqualTo(1);
    assertNothingIsHeld();
  }

  @Test
  void aLongStringPassesWithoutALine() {
    String id = "x".repeat(LONG);
    send(server.execute(id), true);
    agent.awaitReturnEnd(1);
    agent.awaitData(1, INT_RETURN);
    assertThat(server.executions(id)).isEqualTo(1);
  }

  @Test
  void whatIsNoLongerThanACallMayBeIsGatheredToItsEnd() {
    byte[] call = server.take(out -> out.writeObject(new byte[100_000]));
    send(Arrays.copyOf(call, call.length - 1), false);
    assertThat(server.accepted()).isZero();
    send(new byte[1], true);
    agent.awaitData(1, VOID_RETURN);
    assertThat(server.taken()).isEqualTo(1);
    assertThat(bed.isolatedCalls()).isZero();
  }

  @Test
  void aClassThatMayNotPassBehindALongArrayIsRefusedAndTheStreamGoesOn() {
    send(
        server.take(
            out ->
                out.writeObject(
                    new ArrayList<>(List.of(new byte[LONG], new GatedCallsTest.Order())))),
        true);
    assertCertainlyNotExecuted(RefusalReason.OPERATION_NOT_PERMITTED, "class-shape");
    assertThat(bed.isolatedCalls()).isEqualTo(1);
  }

  @Test
  void aSurplusArgumentIsRefusedBeforeTheLastByteOfTheOthersGoesOn() {
    byte[] whole = server.take(out -> out.writeObject(new byte[LONG]));
    byte[] more =
        server.take(
            out -> {
              out.writeObject(new byte[LONG]);
              out.writeObject("surplus");
            });
    assertThat(Arrays.equals(whole, 0, whole.length, more, 0, whole.length)).isTrue();
    send(Arrays.copyOf(more, whole.length - 1), false);
    send(Arrays.copyOfRange(more, whole.length - 1, more.length), true);
    assertCertainlyNotExecuted(RefusalReason.OPERATION_NOT_PERMITTED, "stream");
  }

  /** As sidecars send it, which do not see where a call ends. */
  @Test
  void aCallThatMayBeWholeGoesOnWhenNothingFollows() {
    send(server.take(out -> out.writeObject(new byte[LONG])), false);
    agent.awaitData(1, VOID_RETURN);
    assertThat(server.taken()).isEqualTo(1);
    agent.say(new Data(1, true, new byte[0]));
    agent.call(1, server.tick(), VOID_RETURN);
    assertNothingIsHeld();
  }

  @Test
  void theRestOfALongCallIsRefusedBeyondTheLimit() {
    List<Object> all = new ArrayList<>(List.of(new byte[LONG]));
    for (int i = 0; i < 10; i++) {
      all.add("x".repeat(LIMIT / 8) + i);
    }
    send(server.take(out -> out.writeObject(all)), true);
    assertCertainlyNotExecuted(RefusalReason.OPERATION_NOT_PERMITTED, "unreadable");
  }

  @Test
  void longCallsOfOnePrincipalHaveABoundTogether() throws Exception {
    enforce(new LongCallSettings(LONG, LONG + LONG / 2, Duration.ofSeconds(30)), false);
    byte[] call = server.swallow(new byte[LONG - 100]);
    byte[] beginning = Arrays.copyOf(call, LIMIT);
    send(beginning, false);
    TestAgent.awaitThat(() -> agent.session().context().share().room().claimed().taken() > 0);
    agent.open(3, server.port());
    for (int from = 0; from < LIMIT; from += Tunnel.MAX_BODY_BYTES) {
      agent.part(3, Arrays.copyOfRange(call, from, from + Tunnel.MAX_BODY_BYTES));
    }
    agent.expectRefused(3, 1, RefusalReason.CONNECT_FAILED);
    send(Arrays.copyOfRange(call, LIMIT, call.length), true);
    agent.awaitData(1, INT_RETURN);
    assertNothingIsHeld();
  }

  @Test
  void aCallThatBringsNoMoreLetsItsServersThreadGo() throws Exception {
    enforce(new LongCallSettings(LONG, LONG, Duration.ofMillis(100)), false);
    byte[] call = server.take(out -> out.writeObject(new byte[LONG - 100]));
    send(Arrays.copyOf(call, 2 * LIMIT), false);
    agent.expectRefused(1, 1, RefusalReason.CALL_LATE);
    TestAgent.awaitThat(() -> server.accepted() == 2);
    send(new byte[1000], true); // what is still sent of it is dropped
    send(server.execute("next"), true);
    agent.awaitData(1, INT_RETURN);
    assertThat(server.taken()).isZero();
    assertThat(bed.refused("stalled")).isEqualTo(1);
    assertNothingIsHeld();
  }

  @Test
  void aCallThatTricklesLetsItsServersThreadGoToo() throws Exception {
    enforce(new LongCallSettings(LONG, LONG, Duration.ofMillis(200)), false);
    byte[] call = server.take(out -> out.writeObject(new byte[LONG - 100]));
    send(Arrays.copyOf(call, 2 * LIMIT), false);
    TestAgent.awaitThat(
        () -> {
          send(new byte[1], false);
          return !agent.refusals(1).isEmpty();
        });
    agent.expectRefused(1, 1, RefusalReason.CALL_LATE);
    assertNothingIsHeld();
  }

  @Test
  void whereAnyCallMayBeLongItGoesOnOnceItMayBeWhole() throws Exception {
    enforce(LongCallSettings.DEFAULT, true);
    byte[] call = server.take(out -> out.writeObject(new byte[LONG]));
    send(call, false);
    agent.awaitData(1, VOID_RETURN); // its opener ends it with the first byte of the Return
    assertThat(server.taken()).isEqualTo(1);
    agent.say(new Data(1, true, new byte[0]));
    agent.call(1, server.tick(), VOID_RETURN);
  }
}

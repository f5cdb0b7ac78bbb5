package io.rmigate.gateway.session;

import static io.rmigate.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.rule.ClassMode;
import io.rmigate.gateway.policy.rule.Entry;
import io.rmigate.gateway.quota.Share;
import io.rmigate.gateway.relay.FailurePolicy;
import io.rmigate.gateway.relay.RelaySettings;
import io.rmigate.gateway.relay.ScriptedRmiServer;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.gateway.stream.RefusalTexts;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.tunnel.Close;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.RefusalReason;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What servers do not take takes room, of all streams together, until they do. */
class WaitingCallsTest {
  private static final int ARGUMENT = 10_000;
  private static final int PART = 16 * 1024;
  private static final long WINDOW = SessionSettings.DEFAULTS.limits().streamCredit();
  private static final byte[] CALL = call(ARGUMENT);
  private static final byte[] SMALL = call(10);
  private static final byte[] VOID_RETURN = Calls.returned(null);

  @RegisterExtension final SessionBed bed = new SessionBed();

  private static byte[] call(int length) {
    return Calls.method(
        new ObjIdentifier(7, 1, 2, (short) 3),
        "take([B)V",
        out -> out.writeObject(new byte[length]));
  }

  @BeforeEach
  void enforce() {
    judge(ClassMode.ENFORCE);
  }

  private void judge(ClassMode mode) {
    bed.policy(
        new TargetGrant(
            Set.of("*"), List.of("127.0.0.1:*"), SessionBed.READING, Entry.of(mode).rules()));
  }

  private Share held() {
    return bed.registry().heldBytes();
  }

  private Share heldOf(TestAgent agent) {
    return bed.registry().share(agent.session().context().standing().caller()).room().heldBytes();
  }

  private static long takeAll(Share room) {
    long taken = 0;
    for (long most = 1L << 60; most > 0; most /= 2) {
      if (room.take(most)) {
        taken += most;
      }
    }
    return taken;
  }

  @Test
  void aCallThatWaitsForItsConnectionTakesRoomUntilItsStreamIsOver() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NEVER_ACK);
    TestAgent agent = bed.agent();
    for (int stream = 1; stream <= 15; stream += 2) {
      agent.open(stream, server.port());
      agent.request(stream, CALL);
    }
    assertThat(held().taken()).isBetween(8L * CALL.length, 16L * CALL.length);
    agent.close(1);
    assertThat(held().taken()).isBetween(7L * CALL.length, 14L * CALL.length);
    agent.session().end(CloseCause.DONE, "");
    assertThat(held().taken()).isZero();
  }

  @Test
  void whatWaitsForAServerThatIsNoneTakesNoRoomOnceThatIsKnown() throws Exception {
    bed.relaySettings(new RelaySettings(PATIENCE, Duration.ofSeconds(1), PATIENCE, 64 * 1024, 1));
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NEVER_ACK);
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.request(1, CALL);
    assertThat(held().taken()).isPositive();
    agent.expectRefused(1, 1, RefusalReason.CONNECT_FAILED);
    assertThat(held().taken()).isZero();
  }

  @Test
  void whoHasTooMuchWaitingIsRefusedMoreAndNothingOfItIsSentAndNobodyElseIs() throws Exception {
    ScriptedRmiServer deaf = bed.scripted(FailurePolicy.NEVER_ACK);
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    server.answer(VOID_RETURN);
    TestAgent ann = bed.agent();
    ann.open(1, deaf.port());
    ann.request(1, SMALL);
    TestAgent.awaitThat(() -> deaf.connections().size() == 1);
    takeAll(heldOf(ann));
    ann.open(3, deaf.port());

    ann.request(3, CALL);

    assertThat(ann.awaitRefused(3, 0).text()).contains(RefusalTexts.NO_ROOM);
    ann.expectRefused(3, 1, RefusalReason.CONNECT_FAILED);
    assertThat(bed.refused("no-room")).isOne();
    assertThat(deaf.connections()).hasSize(1);
    TestAgent bob = bed.stranger(new Principal("bob", Principal.Scheme.BASIC));
    bob.hello();
    bob.awaitWelcome();
    bob.open(1, server.port());
    bob.request(1, CALL);
    bob.awaitData(1, VOID_RETURN.length);
    ann.open(5, server.port());
    ann.call(5, SMALL, VOID_RETURN.length);
    ann.call(5, CALL, VOID_RETURN.length); // which its server takes at once
  }

  @Test
  void aCallThatIsAloneOnItsConnectionTakesRoomWhileThatIsMade() throws Exception {
    judge(ClassMode.OFF);
    ScriptedRmiServer deaf = bed.scripted(FailurePolicy.NEVER_ACK);
    TestAgent agent = bed.agent();
    byte[] isolated =
        Calls.method(
            new ObjIdentifier(7, 1, 2, (short) 3),
            "take(Ljava/lang/Object;[B)V",
            out -> {
              out.writeObject(new SmuggledCallsTest.Opaque());
              out.writeObject(new byte[ARGUMENT]);
            });
    agent.open(1, deaf.port());
    agent.request(1, isolated);
    assertThat(held().taken()).isBetween((long) isolated.length, 2L * isolated.length);
    agent.close(1);
    assertThat(held().taken()).isZero();
    takeAll(heldOf(agent));
    agent.open(3, deaf.port());
    agent.request(3, isolated);
    agent.expectRefused(3, 1, RefusalReason.CONNECT_FAILED);
    assertThat(agent.refusals(3).get(0).text()).contains(RefusalTexts.NO_ROOM);
  }

  @Test
  void aCallThatItsServerDoesNotReadTakesRoomAndEndsItsStreamWhereThereIsNone() throws Exception {
    judge(ClassMode.OFF); // so that it passes as it comes
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NEVER_READ);
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    byte[] call = call(32 << 20); // more than operating systems take
    int sent = 0;
    while (held().taken() < WINDOW / 2) {
      int next = sent + PART;
      TestAgent.awaitThat(() -> hasCredit(agent, next) || held().taken() >= WINDOW / 2);
      sent = hasCredit(agent, next) ? sendPart(agent, call, sent) : sent;
    }
    assertThat(held().taken()).isLessThanOrEqualTo(2 * WINDOW);
    long taken = takeAll(heldOf(agent));
    while (hasCredit(agent, sent + PART) && agent.port().frames(Close.class).isEmpty()) {
      sent = sendPart(agent, call, sent);
    }
    agent.expectClose(1, CloseCause.NO_ROOM);
    assertThat(bed.refused("no-room")).isOne();
    heldOf(agent).release(taken);
    assertThat(held().taken()).isZero();
  }

  private static boolean hasCredit(TestAgent agent, long upTo) {
    return agent.creditGiven(1) + WINDOW >= upTo;
  }

  private static int sendPart(TestAgent agent, byte[] call, int from) {
    agent.part(1, Arrays.copyOfRange(call, from, from + PART));
    return from + PART;
  }
}

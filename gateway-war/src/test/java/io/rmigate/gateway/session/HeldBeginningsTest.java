package io.rmigate.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.rule.ClassMode;
import io.rmigate.gateway.policy.rule.Entry;
import io.rmigate.gateway.quota.Share;
import io.rmigate.gateway.relay.FailurePolicy;
import io.rmigate.gateway.relay.ScriptedRmiServer;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.gateway.stream.RefusalTexts;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.RefusalReason;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is held of messages that have not ended takes room, however short they are. */
class HeldBeginningsTest {
  private static final int BEGINNING = 10_000;
  private static final byte[] CALL =
      Calls.method(
          new ObjIdentifier(7, 1, 2, (short) 3),
          "take([B)V",
          out -> out.writeObject(new byte[2 * BEGINNING]));
  private static final byte[] VOID_RETURN = Calls.returned(null);

  @RegisterExtension final SessionBed bed = new SessionBed();

  private ScriptedRmiServer server;

  @BeforeEach
  void serve() throws IOException {
    server = bed.scripted(FailurePolicy.NONE);
    server.answer(VOID_RETURN);
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

  private void begin(TestAgent agent, int stream) {
    agent.open(stream, server.port());
    agent.part(stream, Arrays.copyOf(CALL, BEGINNING));
  }

  private static void end(TestAgent agent, int stream) {
    agent.say(new Data(stream, true, Arrays.copyOfRange(CALL, BEGINNING, CALL.length)));
  }

  private static void takeAll(Share room) {
    for (long most = 1L << 60; most > 0; most /= 2) {
      room.take(most);
    }
  }

  @Test
  void theBeginningOfAShortCallTakesRoomUntilItHasEnded() {
    TestAgent agent = bed.agent();
    begin(agent, 1);
    assertThat(held().taken()).isBetween((long) BEGINNING, 2L * BEGINNING);
    end(agent, 1);
    assertThat(agent.awaitData(1, VOID_RETURN.length)).isEqualTo(VOID_RETURN);
    assertThat(held().taken()).isZero();
  }

  @Test
  void whatIsHeldOfAShortCallTakesNoRoomWhenItsStreamIsOver() {
    TestAgent agent = bed.agent();
    begin(agent, 1);
    begin(agent, 3);
    agent.close(1);
    assertThat(held().taken()).isBetween((long) BEGINNING, 2L * BEGINNING);
    agent.session().end(CloseCause.DONE, "");
    assertThat(held().taken()).isZero();
  }

  @ParameterizedTest
  @EnumSource(ClassMode.class)
  void whoHoldsTooMuchInBeginningsIsRefusedMoreAndNobodyElseIs(ClassMode mode) {
    judge(mode);
    TestAgent ann = bed.agent();
    begin(ann, 1);
    takeAll(bed.registry().share(ann.session().context().standing().caller()).room().heldBytes());

    begin(ann, 3);

    assertThat(ann.awaitRefused(3, 0).text()).contains(RefusalTexts.NO_ROOM);
    ann.expectRefused(3, 1, RefusalReason.CONNECT_FAILED);
    assertThat(bed.refused("no-room")).isOne();
    end(ann, 3); // which is dropped
    ann.request(3, Calls.method(new ObjIdentifier(7, 1, 2, (short) 3), "none()V", out -> {}));
    TestAgent bob = bed.stranger(new Principal("bob", Principal.Scheme.BASIC));
    bob.hello();
    bob.awaitWelcome();
    begin(bob, 1);
    end(bob, 1);
    bob.awaitData(1, VOID_RETURN.length);
    end(ann, 1); // has its room already
    ann.awaitData(1, VOID_RETURN.length);
    ann.awaitData(3, VOID_RETURN.length); // what comes in one piece needs none
  }

  @Test
  void aShortReplyThatWaitsForItsReaderTakesRoom() {
    byte[] reply = Calls.returned(new byte[BEGINNING]);
    server.answer(reply);
    TestAgent agent = bed.stranger();
    agent.hello(0);
    agent.awaitWelcome();
    agent.open(1, server.port());
    agent.request(1, CALL);
    TestAgent.awaitThat(() -> held().taken() >= reply.length);
    agent.credit(1, reply.length);
    assertThat(agent.awaitData(1, reply.length)).isEqualTo(reply);
    TestAgent.awaitThat(() -> held().taken() == 0);
  }
}

package io.rmigate.gateway.session;

import static io.rmigate.gateway.session.TestAgent.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.relay.FailurePolicy;
import io.rmigate.gateway.relay.ScriptedRmiServer;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.ExceptionalReturn;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.RefusalReason;
import io.rmigate.protocol.tunnel.Sequence;
import java.rmi.ServerException;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Calls that wait for each other: PROTOCOL.md, section 7, "Sequences". */
class SequencesTest {
  private static final ObjIdentifier OBJECT = new ObjIdentifier(7, 1, 2, (short) 3);
  private static final byte[] CALL = Calls.method(OBJECT, "m()V", out -> {});
  private static final byte[] VOID = ScriptedRmiServer.VOID_RETURN;
  private static final byte[] NULL = withNull();
  private static final int NUMBER = 9;

  @RegisterExtension final SessionBed bed = new SessionBed();

  private ScriptedRmiServer server;
  private TestAgent agent;

  private static byte[] withNull() {
    byte[] bytes = Arrays.copyOf(VOID, VOID.length + 1);
    bytes[VOID.length] = 0x70;
    return bytes;
  }

  @BeforeEach
  void threeStreamsTakePart() throws Exception {
    server = bed.scripted(FailurePolicy.NEVER_ANSWER);
    agent = bed.stranger();
    agent.hello(Feature.SEQUENCES);
  }

  private void call(boolean untilNull, int... streams) {
    for (int stream : streams) {
      agent.open(stream, server.port());
      agent.say(new Sequence(stream, NUMBER, untilNull));
      agent.request(stream, CALL);
    }
  }

  private void awaitCalls(int count) {
    awaitThat(() -> server.received().length == count * CALL.length);
    assertThat(server.connections()).hasSize(count);
  }

  private void answer(int connection, byte[] bytes) throws Exception {
    server.connections().get(connection).say(bytes);
  }

  @Test
  void aCallGoesToItsServerWhenTheReturnOfTheOneBeforeIsWhole() throws Exception {
    call(false, 1, 3, 5);
    awaitCalls(1);
    answer(0, Arrays.copyOf(VOID, VOID.length - 1));
    agent.awaitData(1, VOID.length - 1);
    awaitCalls(1);
    answer(0, Arrays.copyOfRange(VOID, VOID.length - 1, VOID.length));
    awaitCalls(2);
    answer(1, NULL);
    awaitCalls(3);
    answer(2, VOID);
    agent.awaitData(5, VOID.length);

    agent.request(1, CALL);
    awaitThat(() -> server.received().length == 4 * CALL.length);
  }

  @Test
  void anExceptionEndsTheSequence() throws Exception {
    call(false, 1, 3, 5);
    awaitCalls(1);
    answer(0, ExceptionalReturn.encode(new ServerException("no", new ServerException("no"))));

    agent.expectRefused(3, 1, RefusalReason.SEQUENCE_OVER);
    agent.expectRefused(5, 1, RefusalReason.SEQUENCE_OVER);
    agent.request(1, CALL);
    agent.expectRefused(1, 2, RefusalReason.SEQUENCE_OVER);
    awaitCalls(1);
  }

  @Test
  void aNullEndsItWhereTheAgentSaysSo() throws Exception {
    call(true, 1, 3);
    awaitCalls(1);
    answer(0, NULL);

    agent.expectRefused(3, 1, RefusalReason.SEQUENCE_OVER);
    awaitCalls(1);
  }

  @Test
  void aServerThatGoesEndsIt() throws Exception {
    call(false, 1, 3);
    awaitCalls(1);
    server.connections().get(0).close();

    agent.expectRefused(3, 1, RefusalReason.SEQUENCE_OVER);
  }

  @Test
  void aStreamThatIsClosedEndsItWhetherItsCallRunsOrWaits() throws Exception {
    call(false, 1, 3, 5, 7);
    awaitCalls(1);
    agent.close(5);
    answer(0, VOID);
    agent.expectRefused(3, 1, RefusalReason.SEQUENCE_OVER);
    agent.expectRefused(7, 1, RefusalReason.SEQUENCE_OVER);

    awaitCalls(1);
  }

  @Test
  void aCallThatIsRefusedEndsIt() throws Exception {
    call(false, 1, 3);
    awaitCalls(1);
    agent.open(5, "elsewhere.example", 1);
    agent.say(new Sequence(5, NUMBER, false));
    agent.request(5, CALL);
    agent.open(7, server.port());
    agent.say(new Sequence(7, NUMBER, false));
    agent.request(7, CALL);
    answer(0, VOID);
    awaitCalls(2);
    answer(1, VOID);

    agent.expectRefused(5, 1, RefusalReason.TARGET_NOT_PERMITTED);
    agent.expectRefused(7, 1, RefusalReason.SEQUENCE_OVER);
  }

  @Test
  void othersDoNotWaitAndSequencesEndWithTheirStreams() throws Exception {
    call(false, 1, 3);
    awaitCalls(1);
    agent.open(5, server.port());
    agent.say(new Sequence(5, NUMBER + 1, false));
    agent.request(5, CALL);
    awaitCalls(2);
    assertThat(agent.session().context().sequences().count()).isEqualTo(2);

    agent.close(1);
    agent.close(3);
    agent.close(5);
    assertThat(agent.session().context().sequences().count()).isZero();
  }

  @Test
  void aStreamJoinsOnceAndBeforeItsFirstRequest() throws Exception {
    agent.open(1, server.port());
    agent.request(1, CALL);
    agent.say(new Sequence(1, NUMBER, false));

    assertThat(agent.awaitGoodbye().cause()).isEqualTo(CloseCause.PROTOCOL_VIOLATION);
  }
}

package io.rmigate.gateway.session;

import static io.rmigate.gateway.session.TestAgent.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.policy.rule.Entry;
import io.rmigate.gateway.relay.FailurePolicy;
import io.rmigate.gateway.relay.ScriptedRmiServer;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.tunnel.RefusalReason;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A client that does not wait for the end of a Return cannot have its rest, which may be bytes of
 * the client's choice, read as the answer to its next Call.
 */
class ReturnTailsTest {
  private static final ObjIdentifier OBJECT = new ObjIdentifier(5, 1, 2, (short) 3);
  private static final int VOID_RETURN = 22;

  @RegisterExtension final SessionBed bed = new SessionBed();

  private static byte[] call() {
    return Calls.method(OBJECT, "give()[B", out -> {});
  }

  /** Behind the header and the length of an array of bytes, as {@code whole} has them. */
  private static int firstByteOf(byte[] array, byte[] whole) {
    return whole.length - array.length;
  }

  private void serve(ScriptedRmiServer server) {
    bed.policy(
        new TargetGrant(
            Set.of("*"),
            List.of("127.0.0.1:" + server.port()),
            SessionBed.READING,
            Entry.enforced().classes(Ledger.class.getName()).rules()));
  }

  /** Bytes for a connection that is closed already are lost. */
  private static void say(ScriptedRmiServer server, int connection, byte[] bytes) {
    try {
      server.connections().get(connection).say(bytes);
    } catch (IOException gone) {
      assertThat(server.connections().get(connection).ended()).isTrue();
    }
  }

  private void giveWithATailThatNames(
      LedgerServer foreign, ScriptedRmiServer server, TestAgent agent) throws Exception {
    byte[] tail = Calls.returned(foreign.stub());
    byte[] array = new byte[20_000 + tail.length];
    System.arraycopy(tail, 0, array, 20_000, tail.length);
    byte[] whole = Calls.returned(array);
    int cut = firstByteOf(array, whole) + 20_000;
    agent.open(1, server.port());
    agent.request(1, call());
    awaitThat(() -> server.connections().size() == 1 && server.received().length > 0);
    say(server, 0, Arrays.copyOf(whole, cut));
    agent.awaitData(1, cut); // from here on the next Call may come
    agent.request(1, call());
    awaitThat(() -> server.received().length >= 2 * call().length);
    say(server, 0, tail);
  }

  @Test
  void theRestOfAReturnIsNoAnswerToTheNextCall() throws Exception {
    LedgerServer foreign = bed.ledger();
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    server.answer(new byte[0]); // the test answers
    serve(server);
    TestAgent agent = bed.agent();

    giveWithATailThatNames(foreign, server, agent);

    assertThat(server.connections()).hasSize(2);
    awaitThat(server.connections().get(0)::ended);
    server.connections().get(1).say(ScriptedRmiServer.VOID_RETURN);
    awaitThat(() -> agent.port().dataBytes(1) > 20_000 + VOID_RETURN);
    byte[] take = Calls.method(OBJECT, "take()V", out -> out.writeObject(foreign.stub()));
    agent.open(3, server.port());
    agent.request(3, take);
    agent.expectRefused(3, 1, RefusalReason.OPERATION_NOT_PERMITTED);
  }

  @Test
  void whoWaitsForTheEndOfEachReturnKeepsItsConnection() throws Exception {
    LedgerServer server = bed.ledger();
    bed.policy(
        new TargetGrant(
            Set.of("*"),
            List.of("127.0.0.1:" + server.port()),
            SessionBed.READING,
            Entry.enforced().classes(Ledger.class.getName()).rules()));
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    int given = Calls.returned(new byte[40_000]).length + 1; // of a class without an annotation

    agent.call(1, server.tick(), VOID_RETURN);
    agent.call(1, server.give(40_000), given);
    agent.call(1, server.execute("once"), VOID_RETURN + Integer.BYTES);
    agent.call(1, server.give(40_000), given);
    agent.call(1, server.tick(), VOID_RETURN);

    assertThat(server.accepted()).isEqualTo(1);
    assertThat(server.ticks()).isEqualTo(2);
  }
}

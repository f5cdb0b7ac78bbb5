package io.rmigate.gateway.session;

import static io.rmigate.gateway.session.TestAgent.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.policy.rule.Entry;
import io.rmigate.gateway.relay.FailurePolicy;
import io.rmigate.gateway.relay.ScriptedRmiServer;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.tunnel.RefusalReason;
import io.rmigate.protocol.tunnel.Unlisten;
import java.rmi.Remote;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Where only objects may be called that the session was given, it gives itself none by having a
 * server repeat what it says.
 */
class EchoedReferencesTest extends CallbackSides {
  private static final ObjIdentifier ECHO = new ObjIdentifier(5, 1, 2, (short) 3);
  private static final int VOID_RETURN = 22;

  private LedgerServer ledger;
  private ScriptedRmiServer echo;

  @BeforeEach
  void serve() throws Exception {
    ledger = bed.ledger();
    echo = bed.scripted(FailurePolicy.NONE);
    bed.policy(
        new TargetGrant(
            Set.of("*"),
            List.of("127.0.0.1:*"),
            SessionBed.READING,
            Entry.enforced()
                .classes(Ledger.class.getName())
                .references("127.0.0.1:*", Calls.reference(ledger.stub()).host() + ":*")
                .withoutSayingWhichObjects()
                .rules()));
  }

  private static byte[] echoed(Calls.Arguments arguments) {
    return Calls.method(ECHO, "echo(Ljava/lang/Object;)V", arguments);
  }

  /** An agent that has been given the object that repeats. */
  private TestAgent introduced() throws Exception {
    TestAgent agent = agent();
    byte[] given = Calls.returned(Calls.stub(Ledger.class, "127.0.0.1", echo.port(), ECHO));
    echo.answer(given);
    agent.open(99, echo.port());
    agent.call(99, Calls.lookup("echo"), given.length);
    agent.close(99);
    return agent;
  }

  private void echo(TestAgent agent, int stream, Remote stub) throws Exception {
    agent.open(stream, echo.port());
    byte[] reply = Calls.returned(stub);
    echo.answer(reply);
    byte[] call = echoed(out -> out.writeObject(stub));
    agent.call(stream, call, reply.length);
  }

  private void assertNotCallable(TestAgent agent, int stream) {
    agent.open(stream, ledger.port());
    agent.request(stream, ledger.tick());
    agent.expectRefused(stream, 1, RefusalReason.OPERATION_NOT_PERMITTED);
    assertThat(ledger.accepted()).isZero();
  }

  private Remote foreign(String host, int port) {
    return Calls.stub(Ledger.class, host, port, ledger.object());
  }

  @Test
  void aStubOfOnesOwnThatComesBackMakesNoOtherObjectCallable() throws Exception {
    TestAgent agent = introduced();
    int port = listen(agent);
    echo(agent, 1, foreign("gw.inner", port));
    assertNotCallable(agent, 3);
  }

  @Test
  void neitherDoesOneThatComesBackWhenItsListenerHasGone() throws Exception {
    TestAgent agent = introduced();
    int port = listen(agent);
    Remote own = foreign("gw.inner", port);
    agent.say(new Unlisten(1));
    echo.answer(Calls.returned(own));
    agent.open(1, echo.port());
    agent.call(1, echoed(out -> {}), Calls.returned(own).length);
    assertNotCallable(agent, 3);
  }

  @Test
  void aForeignStubThatOneHasNamedOneselfMakesNothingCallable() throws Exception {
    TestAgent agent = introduced();
    echo(agent, 1, foreign("127.0.0.1", ledger.port()));
    assertNotCallable(agent, 3);
  }

  @Test
  void anObjectThatIsGivenMayBeCalledThoughItHasBeenRepeated() throws Exception {
    TestAgent agent = introduced();
    Remote stub = foreign("127.0.0.1", ledger.port());
    echo.answer(Calls.returned(stub));
    agent.open(1, echo.port());
    agent.call(1, echoed(out -> {}), Calls.returned(stub).length);
    echo(agent, 3, stub);
    agent.open(5, ledger.port());
    agent.call(5, ledger.tick(), VOID_RETURN);
    assertThat(ledger.ticks()).isOne();
  }

  @Test
  void anObjectThatIsGivenAtOneEndpointIsNotCalledAtAnother() throws Exception {
    TestAgent agent = introduced();
    for (Remote elsewhere :
        List.of(foreign("127.0.0.1", echo.port()), foreign("ledger.example", echo.port()))) {
      echo.answer(Calls.returned(elsewhere));
      agent.open(1, echo.port());
      agent.call(1, echoed(out -> {}), Calls.returned(elsewhere).length);
      agent.close(1);
    }
    assertNotCallable(agent, 3);
  }

  /** As a registry says again what an earlier session was given, and this one has named. */
  @Test
  void whatARegistryHandsOutMayBeCalledThoughItHasBeenNamedBefore() throws Exception {
    TestAgent agent = introduced();
    Remote stub = ledger.stub();
    echo(agent, 1, stub);
    agent.open(3, ledger.port());
    agent.request(3, Calls.lookup("ledger"));
    awaitThat(() -> agent.port().dataBytes(3) > VOID_RETURN);
    agent.open(5, ledger.port());
    agent.call(5, ledger.tick(), VOID_RETURN);
  }
}

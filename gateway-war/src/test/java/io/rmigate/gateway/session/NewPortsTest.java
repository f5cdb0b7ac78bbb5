package io.rmigate.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.rule.Entry;
import io.rmigate.gateway.relay.FailurePolicy;
import io.rmigate.gateway.relay.ScriptedRmiServer;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.tunnel.RefusalReason;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Where policy says {@code new-ports}, objects that a named server hands out on its own host may be
 * called at ports that no registry has named; by who was given them, and nowhere else.
 */
class NewPortsTest {
  private static final Principal BOB = new Principal("bob", Principal.Scheme.BASIC);
  private static final ObjIdentifier SHOP = new ObjIdentifier(5, 1, 2, (short) 3);
  private static final String HOST = "127.0.0.1";
  private static final int VOID_RETURN = 22;

  @RegisterExtension final SessionBed bed = new SessionBed();

  /** The registry, and what it has named. */
  private ScriptedRmiServer shop;

  private LedgerServer ledger;

  @BeforeEach
  void serve() throws Exception {
    shop = bed.scripted(FailurePolicy.NONE);
    ledger = bed.ledger();
    policy(true);
  }

  private void policy(boolean newPorts) {
    bed.policy(
        new TargetGrant(
            Set.of("*"),
            List.of(HOST + ":" + shop.port()),
            SessionBed.READING,
            Entry.enforced().classes(Ledger.class.getName()).newPorts(newPorts).rules()));
  }

  private TestAgent agent(Principal principal) throws Exception {
    TestAgent agent = bed.stranger(principal);
    agent.hello();
    agent.awaitWelcome();
    agent.open(99, shop.port());
    byte[] named = handsOut(HOST, shop.port(), SHOP);
    agent.call(99, Calls.lookup("shop"), named.length);
    return agent;
  }

  private byte[] handsOut(String host, int port, ObjIdentifier object) {
    byte[] reply = Calls.returned(Calls.stub(Ledger.class, host, port, object));
    shop.answer(reply);
    return reply;
  }

  /** The server answers a call with a stub of the ledger, which is said to be there. */
  private void receive(TestAgent agent, String host) throws Exception {
    byte[] reply = handsOut(host, ledger.port(), ledger.object());
    agent.call(99, Calls.method(SHOP, "tick()V", out -> {}), reply.length);
  }

  private void assertNotPermitted(TestAgent agent, String host) {
    agent.open(1, host, ledger.port());
    agent.request(1, ledger.tick());
    agent.expectRefused(1, 1, RefusalReason.TARGET_NOT_PERMITTED);
    assertThat(ledger.accepted()).isZero();
  }

  @Test
  void whatANamedServerHandsOutOnItsHostMayBeCalledAtItsPort() throws Exception {
    TestAgent ann = agent(SessionBed.ANN);
    receive(ann, HOST);
    ann.open(1, ledger.port());
    ann.call(1, ledger.tick(), VOID_RETURN);
    assertThat(ledger.ticks()).isOne();
  }

  @Test
  void itIsNoRegistryThatMayBeAsked() throws Exception {
    TestAgent ann = agent(SessionBed.ANN);
    receive(ann, HOST);
    ann.open(1, ledger.port());
    ann.request(1, Calls.lookup("ledger"));
    ann.expectRefused(1, 1, RefusalReason.OPERATION_NOT_PERMITTED);
  }

  @Test
  void nothingIsReachedThatWasNotHandedOut() throws Exception {
    assertNotPermitted(agent(SessionBed.ANN), HOST);
  }

  @Test
  void anotherSessionThatWasNotGivenItDoesNotReachIt() throws Exception {
    receive(agent(SessionBed.ANN), HOST);
    assertNotPermitted(agent(BOB), HOST);
  }

  @Test
  void whatIsHandedOutOnAnotherHostIsNotReached() throws Exception {
    TestAgent ann = agent(SessionBed.ANN);
    receive(ann, "127.0.0.2");
    assertNotPermitted(ann, "127.0.0.2");
  }

  @Test
  void withoutASettingNothingIsReachedThatNoRegistryHasNamed() throws Exception {
    policy(false);
    TestAgent ann = agent(SessionBed.ANN);
    receive(ann, HOST);
    assertNotPermitted(ann, HOST);
  }

  @Test
  void whatIsHandedOutThereMayHandOutMoreInItsTurn() throws Exception {
    ScriptedRmiServer basket = bed.scripted(FailurePolicy.NONE);
    TestAgent ann = agent(SessionBed.ANN);
    byte[] first = handsOut(HOST, basket.port(), SHOP);
    ann.call(99, Calls.method(SHOP, "tick()V", out -> {}), first.length);
    byte[] second = Calls.returned(Calls.stub(Ledger.class, HOST, ledger.port(), ledger.object()));
    basket.answer(second);
    ann.open(1, basket.port());
    ann.call(1, Calls.method(SHOP, "tick()V", out -> {}), second.length);
    ann.open(3, ledger.port());
    ann.call(3, ledger.tick(), VOID_RETURN);
    assertThat(ledger.ticks()).isOne();
  }

  /** Else a client would open what it likes, by a server that says what it is told. */
  @Test
  void whatAServerRepeatsOfAClientsWordsIsNotReached() throws Exception {
    bed.policy(
        new TargetGrant(
            Set.of("*"),
            List.of(HOST + ":" + shop.port()),
            SessionBed.READING,
            Entry.enforced()
                .classes(Ledger.class.getName())
                .references(HOST + ":*")
                .receivedObjects(false)
                .newPorts(true)
                .rules()));
    TestAgent ann = agent(SessionBed.ANN);
    byte[] echo = handsOut(HOST, ledger.port(), ledger.object());
    ann.call(
        99,
        Calls.method(
            SHOP,
            "tick()V",
            out -> out.writeObject(Calls.stub(Ledger.class, HOST, ledger.port(), ledger.object()))),
        echo.length);
    assertNotPermitted(ann, HOST);
  }
}

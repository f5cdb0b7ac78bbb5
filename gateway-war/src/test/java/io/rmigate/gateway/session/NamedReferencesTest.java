package io.rmigate.gateway.session;

import static io.rmigate.gateway.session.TestAgent.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.policy.rule.Entry;
import io.rmigate.gateway.relay.FailurePolicy;
import io.rmigate.gateway.relay.ScriptedRmiServer;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.LiveReference;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.RefusalReason;
import java.rmi.Remote;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A reference in an argument names an object that the session was given, or one of its own: at an
 * endpoint that it may call there are objects of others, too.
 */
class NamedReferencesTest extends CallbackSides {
  /** What everybody may call who reaches the server. */
  private static final ObjIdentifier TAKER = new ObjIdentifier(77, 0, 0, (short) 0);

  private static final ObjIdentifier GUESSED = new ObjIdentifier(5, 1, 2, (short) 3);
  private static final String LISTED_HOST = "objects.example";
  private static final int LISTED_PORT = 4711;
  private static final int CALL_LIMIT = 512 * 1024;

  private LedgerServer ledger;

  /** Makes no object of what it is sent. */
  private ScriptedRmiServer taker;

  private TestAgent agent;

  @BeforeEach
  void serve() throws Exception {
    ledger = bed.ledger();
    taker = bed.scripted(FailurePolicy.NONE);
    policy(entry());
  }

  private static Entry entry() {
    return Entry.enforced().classes(Ledger.class.getName()).withoutSayingWhichObjects();
  }

  private void policy(Entry entry) {
    bed.policy(
        new TargetGrant(
            Set.of("*"),
            List.of("127.0.0.1:*", LISTED_HOST + ":" + LISTED_PORT),
            SessionBed.READING,
            entry.rules()));
  }

  /** An agent that has looked up the ledger, and so knows of its endpoint. */
  private TestAgent introduced() {
    agent = agent();
    agent.open(1, ledger.port());
    agent.request(1, Calls.lookup("ledger"));
    awaitThat(() -> agent.port().dataBytes(1) > RETURN.length);
    agent.open(3, taker.port());
    return agent;
  }

  private LiveReference given() {
    return Calls.reference(ledger.stub());
  }

  private Remote atLedger(ObjIdentifier object) {
    return Calls.stub(Ledger.class, given().host(), given().port(), object);
  }

  private static Remote listed(ObjIdentifier object) {
    return Calls.stub(Ledger.class, LISTED_HOST, LISTED_PORT, object);
  }

  private static byte[] take(Object argument) {
    return Calls.method(TAKER, "take(Ljava/lang/Object;)V", out -> out.writeObject(argument));
  }

  private void assertPasses(Object argument) {
    agent.call(3, take(argument), RETURN.length);
  }

  private void assertRefused(Object argument) {
    int sent = taker.received().length;
    int refused = agent.refusals(3).size();
    agent.request(3, take(argument));
    assertThat(agent.awaitRefused(3, refused).reason())
        .isEqualTo(RefusalReason.OPERATION_NOT_PERMITTED);
    assertThat(taker.received()).hasSize(sent);
  }

  /** Objects that no session was given: one of a server, the collector, one with a small number. */
  static Stream<ObjIdentifier> neverGiven() {
    return Stream.of(GUESSED, ObjIdentifier.DGC, ObjIdentifier.ACTIVATOR, TAKER);
  }

  @ParameterizedTest
  @MethodSource("neverGiven")
  void anObjectThatWasNotGivenIsRefusedWhereARegistryHasNamedAnother(ObjIdentifier object) {
    introduced();
    assertRefused(atLedger(object));
    assertPasses(atLedger(ledger.object()));
  }

  @ParameterizedTest
  @MethodSource("neverGiven")
  void anObjectThatWasNotGivenIsRefusedWherePolicyNamesTheEndpoint(ObjIdentifier object) {
    introduced();
    assertRefused(listed(object));
  }

  @Test
  void theRegistryOfAnAllowedTargetMayBeNamed() {
    introduced();
    assertPasses(listed(ObjIdentifier.REGISTRY));
    assertPasses(atLedger(ObjIdentifier.REGISTRY));
    assertRefused(Calls.stub(Ledger.class, "far.example", LISTED_PORT, ObjIdentifier.REGISTRY));
  }

  @Test
  void anObjectThatWasGivenAtOneEndpointIsRefusedAtAnother() {
    introduced();
    assertRefused(listed(ledger.object()));
    assertRefused(Calls.stub(Ledger.class, "127.0.0.99", given().port(), ledger.object()));
    assertRefused(Calls.stub(Ledger.class, given().host(), taker.port(), ledger.object()));
  }

  @Test
  void whereAnyObjectMayBeCalledAnyMayBeNamed() {
    policy(entry().receivedObjects(false));
    introduced();
    assertPasses(atLedger(GUESSED));
    assertPasses(listed(GUESSED));
    assertRefused(Calls.stub(Ledger.class, "far.example", LISTED_PORT, GUESSED));
  }

  @Test
  void whatReferencesOfTheEntryListMayBeNamed() {
    policy(entry().references("far.example:*"));
    introduced();
    assertPasses(Calls.stub(Ledger.class, "far.example", LISTED_PORT, GUESSED));
    assertRefused(atLedger(GUESSED));
  }

  @Test
  void aCallThatPassesAsItComesEndsAtAnObjectThatWasNotGiven() {
    policy(entry().stream(true).callLimit(CALL_LIMIT));
    introduced();
    GatedCallsTest.sendInParts(
        agent, 3, take(new Object[] {new byte[700 * 1024], atLedger(GUESSED)}));
    agent.expectClose(3, CloseCause.NOT_PERMITTED);
  }

  @Test
  void anAnswerToACallbackNamesNoObjectThatWasNotGiven() throws Exception {
    introduced();
    int port = listen(agent);
    InnerJvm jvm = connect(port);
    jvm.say(CALL);
    int stream = awaitAccept(agent, 0).opened();
    agent.awaitData(stream, CALL.length);
    answer(agent, stream, Calls.returned(atLedger(GUESSED)));
    agent.expectClose(stream, CloseCause.NOT_PERMITTED);
    assertIsToldAndNothingElse(jvm, "the call was executed; the result was refused");
  }
}

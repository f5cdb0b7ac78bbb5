package io.rmigate.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.limit.CallLimits;
import io.rmigate.gateway.limit.LockoutSettings;
import io.rmigate.gateway.policy.Rulebook;
import io.rmigate.gateway.policy.rule.Entry;
import io.rmigate.gateway.policy.rule.EntryRules;
import io.rmigate.gateway.quota.Share;
import io.rmigate.gateway.relay.FailurePolicy;
import io.rmigate.gateway.relay.ScriptedRmiServer;
import io.rmigate.gateway.route.EndpointMapping;
import io.rmigate.gateway.route.Restraints;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.gateway.route.TargetPolicy;
import io.rmigate.protocol.tunnel.Accept;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Goodbye;
import io.rmigate.protocol.tunnel.RefusalReason;
import java.nio.charset.StandardCharsets;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.rmi.ssl.SslRMIClientSocketFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a client's JVM answers to inner JVMs may attack them as well as what it asks. */
class GatedCallbacksTest extends CallbackSides {

  private static final EntryRules ENFORCED =
      Entry.enforced().classes(Ledger.class.getName()).rules();

  @BeforeEach
  void enforce() {
    bed.policy(new TargetGrant(Set.of("*"), List.of("127.0.0.1:*"), SessionBed.READING, ENFORCED));
  }

  @Test
  void rulesOfEntriesWithoutARegistryCountToo() throws Exception {
    bed.policy(
        new TargetGrant(Set.of("*"), List.of("127.0.0.1:*"), SessionBed.READING),
        new TargetGrant(Set.of("*"), List.of("objects.example:*"), Set.of(), ENFORCED));
    aReturnThatNothingAllowsEndsTheConnection();
  }

  @Test
  void aReturnThatNothingAllowsEndsTheConnection() throws Exception {
    TestAgent agent = agent();
    InnerJvm jvm = connect(listen(agent));
    int stream = call(jvm, agent).opened();
    answer(agent, stream, Calls.returned(new GatedCallsTest.Order()));
    agent.expectClose(stream, CloseCause.NOT_PERMITTED);
    assertIsToldAndNothingElse(jvm, "the call was executed; the result was refused");
  }

  /** It is not for the gateway to know whether the agent's JVM has executed it. */
  @Test
  void anInnerJvmWhoseCallIsNotAnsweredIsToldThatItMayHaveBeenExecuted() throws Exception {
    TestAgent agent = agent();
    int port = listen(agent);
    InnerJvm first = connect(port);
    agent.close(call(first, agent).opened());
    assertIsToldAndNothingElse(first, "may have been executed");
    InnerJvm second = connect(port);
    second.say(call("x"));
    awaitAccept(agent, 1);
    agent.say(new Goodbye(CloseCause.DONE, ""));
    assertIsToldAndNothingElse(second, "may have been executed");
  }

  private void lockOutSoon() {
    bed.policy(
        new TargetPolicy(
            List.of(
                new TargetGrant(
                    Set.of("*"),
                    List.of("127.0.0.1:*"),
                    SessionBed.READING,
                    Entry.enforced().rules())),
            List.of(),
            EndpointMapping.DEFAULT,
            Rulebook.OFF,
            new Restraints(
                CallLimits.NONE,
                new LockoutSettings(1, Duration.ofMinutes(10), Duration.ofMinutes(10)))));
  }

  @Test
  void whoAnswersManyThingsThatMayNotPassIsLetDoNothingAnyMore() throws Exception {
    lockOutSoon();
    TestAgent agent = agent();
    int port = listen(agent);
    byte[] reply = Calls.returned(new GatedCallsTest.Order());
    for (int i = 0; i < bed.registry().policy().lockouts().manifoldAfter(); i++) {
      assertThat(bed.registry().lockouts()).isEmpty();
      int stream = call(connect(port), agent).opened();
      answer(agent, stream, ofAnotherClass(reply, i));
      agent.expectClose(stream, CloseCause.NOT_PERMITTED);
    }
    assertThat(bed.registry().lockouts()).hasSize(1);
  }

  @Test
  void whatInnerJvmsCallLocksNoAgentOut() throws Exception {
    TestAgent agent = agent();
    int port = listen(agent);
    byte[] call = call(new GatedCallsTest.Order());
    for (int i = 0; i < LockoutSettings.DEFAULTS.after(); i++) {
      connect(port).say(ofAnotherClass(call, i));
      agent.expectClose(awaitAccept(agent, i).opened(), CloseCause.NOT_PERMITTED);
    }
    assertThat(bed.registry().lockouts()).isEmpty();
  }

  /** The name of {@code Order} ends with two digits. */
  private static byte[] ofAnotherClass(byte[] message, int number) {
    return new String(message, StandardCharsets.ISO_8859_1)
        .replace("$Order", "$Ord" + number / 10 + number % 10)
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  /** An inner JVM keeps the connection and would read it as the answer to its next Call. */
  @Test
  void aReturnHiddenInAReturnReachesNobody() throws Exception {
    byte[] whole = Calls.returnHiding(Calls.returned(new GatedCallsTest.Order()));
    for (int cut : List.of(0, 7)) {
      TestAgent agent = agent();
      InnerJvm jvm = connect(listen(agent));
      int stream = call(jvm, agent).opened();
      answer(agent, stream, Arrays.copyOf(whole, cut));
      answer(agent, stream, Arrays.copyOfRange(whole, cut, whole.length));
      agent.expectClose(stream, CloseCause.NOT_PERMITTED);
      assertIsToldAndNothingElse(jvm, "the call was executed; the result was refused");
    }
  }

  @Test
  void aReturnThatIsAllowedPassesInAnyPieces() throws Exception {
    TestAgent agent = agent();
    InnerJvm jvm = connect(listen(agent));
    byte[] whole = Calls.returned(List.of("a value", 7));
    for (int cut = 1; cut < whole.length; cut += 11) {
      int stream = callAgain(jvm, agent);
      answer(agent, stream, Arrays.copyOf(whole, cut));
      answer(agent, stream, Arrays.copyOfRange(whole, cut, whole.length));
      assertThat(jvm.read(whole.length)).isEqualTo(whole);
    }
  }

  /** The stream of the first Call goes on. */
  private int callAgain(InnerJvm jvm, TestAgent agent) throws Exception {
    boolean first = agent.port().frames(Accept.class).isEmpty();
    if (first) {
      return call(jvm, agent).opened();
    }
    int stream = awaitAccept(agent, 0).opened();
    long before = agent.port().dataBytes(stream);
    jvm.say(CALL);
    TestAgent.awaitThat(() -> agent.port().dataBytes(stream) == before + CALL.length);
    return stream;
  }

  @Test
  void aLongReturnIsHeldAndPasses() throws Exception {
    TestAgent agent = agent();
    InnerJvm jvm = connect(listen(agent));
    int stream = call(jvm, agent).opened();
    byte[] whole = Calls.returned(new byte[900_000]);
    answerInParts(agent, stream, whole);
    assertThat(jvm.read(whole.length)).isEqualTo(whole);
  }

  private static void answerInParts(TestAgent agent, int stream, byte[] whole) throws Exception {
    long credit = SessionSettings.DEFAULTS.limits().streamCredit();
    int part = 16 * 1024;
    for (int from = 0; from < whole.length; from += part) {
      int end = Math.min(from + part, whole.length);
      TestAgent.awaitThat(() -> agent.creditGiven(stream) + credit >= end);
      answer(agent, stream, Arrays.copyOfRange(whole, from, end));
    }
  }

  private static byte[] call(Object argument) {
    return Calls.method(OBJECT, "take(Ljava/lang/Object;)V", out -> out.writeObject(argument));
  }

  @Test
  void aCallThatNothingAllowsEndsTheConnection() throws Exception {
    TestAgent agent = agent();
    int port = listen(agent);
    byte[] call = call(new ArrayList<>(List.of("x", new GatedCallsTest.Order())));
    for (int cut : List.of(call.length, 60, call.length - 8)) {
      InnerJvm jvm = connect(port);
      int before = agent.port().frames(Accept.class).size();
      jvm.say(Arrays.copyOf(call, cut));
      int stream = awaitAccept(agent, before).opened();
      jvm.say(Arrays.copyOfRange(call, cut, call.length));
      agent.expectClose(stream, CloseCause.NOT_PERMITTED);
      assertIsToldAndNothingElse(jvm, "not permitted by the gateway's policy");
      assertThat(new String(agent.port().data(stream), StandardCharsets.ISO_8859_1))
          .doesNotContain("Order");
      agent.close(stream);
    }
    assertThat(bed.registry().heldBytes().taken()).isZero();
  }

  @Test
  void aLongCallIsHeldAndPassesAsTheAgentHasRoom() throws Exception {
    int credit = 64 * 1024;
    TestAgent agent = agent(SessionBed.ANN, credit);
    InnerJvm jvm = connect(listen(agent));
    byte[] call = call(new byte[900_000]);
    jvm.say(call);
    int stream = awaitAccept(agent, 0).opened();
    agent.awaitData(stream, credit);
    agent.credit(stream, 2 * call.length);
    assertThat(agent.awaitData(stream, call.length)).isEqualTo(call);
    answer(agent, stream, RETURN);
    assertThat(jvm.read(RETURN.length)).isEqualTo(RETURN);
    TestAgent.awaitThat(() -> bed.registry().heldBytes().taken() == 0);
    jvm.say(call); // the next one on this connection
    agent.awaitData(stream, 2 * call.length);
  }

  private void enforceAndLimit(boolean stream) {
    bed.policy(
        new TargetGrant(
            Set.of("*"),
            List.of("127.0.0.1:*"),
            SessionBed.READING,
            Entry.enforced().callLimit(64 * 1024).stream(stream).rules()));
  }

  @Test
  void aReturnBeyondTheLimitEndsTheConnectionAsACallIsRefused() throws Exception {
    enforceAndLimit(false);
    TestAgent agent = agent();
    InnerJvm jvm = connect(listen(agent));
    int stream = call(jvm, agent).opened();
    answerInParts(agent, stream, Calls.returned(List.of(new byte[40_000], new byte[40_000])));
    agent.expectClose(stream, CloseCause.NOT_PERMITTED);
  }

  @Test
  void aReturnThatFindsNoRoomEndsTheConnectionWithThatAndIsHeldAgainstNobody() throws Exception {
    lockOutSoon();
    TestAgent agent = agent();
    InnerJvm jvm = connect(listen(agent));
    int stream = call(jvm, agent).opened();
    Share room =
        bed.registry().share(agent.session().context().standing().caller()).room().heldBytes();
    for (long most = 1L << 60; most > 0; most /= 2) {
      room.take(most);
    }
    byte[] reply = Calls.returned("x".repeat(50_000));
    for (int from = 0; from < 45_000; from += 15_000) {
      answer(agent, stream, Arrays.copyOfRange(reply, from, from + 15_000));
    }
    agent.expectClose(stream, CloseCause.NO_ROOM);
    assertIsToldAndNothingElse(jvm, "the call was executed; the result was refused");
    assertThat(bed.registry().lockouts()).isEmpty();
  }

  @Test
  void whereLongCallsPassALongReturnDoesAndIsJudgedToItsEnd() throws Exception {
    enforceAndLimit(true);
    for (Object last : List.of("x", new GatedCallsTest.Order())) {
      TestAgent agent = agent();
      InnerJvm jvm = connect(listen(agent));
      int stream = call(jvm, agent).opened();
      byte[] whole = Calls.returned(new Object[] {new byte[40_000], new byte[40_000], last});
      answerInParts(agent, stream, whole);
      if (last.equals("x")) {
        assertThat(jvm.read(whole.length)).isEqualTo(whole);
      } else {
        agent.expectClose(stream, CloseCause.NOT_PERMITTED);
      }
    }
  }

  @Test
  void aCallBeyondTheLimitPassesAndIsJudgedToItsEnd() throws Exception {
    enforceAndLimit(false);
    TestAgent agent = agent();
    int port = listen(agent);
    for (Object last : List.of("x", new GatedCallsTest.Order())) {
      InnerJvm jvm = connect(port);
      int before = agent.port().frames(Accept.class).size();
      byte[] call = call(new Object[] {new byte[40_000], new byte[40_000], last});
      jvm.say(call);
      int stream = awaitAccept(agent, before).opened();
      if (last.equals("x")) {
        assertThat(agent.awaitData(stream, call.length)).isEqualTo(call);
      } else {
        agent.expectClose(stream, CloseCause.NOT_PERMITTED);
        assertThat(new String(agent.port().data(stream), StandardCharsets.ISO_8859_1))
            .doesNotContain("Order");
      }
    }
  }

  @Test
  void whatAnInnerJvmHasHandedOutMayBeNamedInArguments() throws Exception {
    LedgerServer server = bed.ledger();
    LedgerServer other = bed.ledger();
    TestAgent agent = agent();
    InnerJvm jvm = connect(listen(agent));
    agent.open(1, server.port());
    byte[] take = server.take(out -> out.writeObject(other.stub()));
    agent.request(1, take);
    agent.expectRefused(1, 1, RefusalReason.OPERATION_NOT_PERMITTED);
    byte[] call = call(other.stub());
    jvm.say(call);
    agent.awaitData(awaitAccept(agent, 0).opened(), call.length);
    agent.request(1, take);
    TestAgent.awaitThat(() -> server.taken() == 1);
    other.dropConnections(); // the server's, for its lease, would rest for 15 s
  }

  @Test
  void argumentsMayReferToTheClientsOwnObjectsAndToNobodyElses() throws Exception {
    LedgerServer server = bed.ledger();
    TestAgent agent = agent();
    int port = listen(agent);
    agent.open(1, server.port());
    agent.request(1, takes(server, "gw.inner", port + 1));
    agent.expectRefused(1, 1, RefusalReason.OPERATION_NOT_PERMITTED);
    agent.request(1, takes(server, "far.example", port));
    assertThat(agent.awaitRefused(1, 1).request()).isEqualTo(2);
    assertThat(server.accepted()).isZero();

    agent.request(1, takes(server, "gw.inner", port));
    TestAgent.awaitThat(() -> server.accepted() == 1);
  }

  /** Callbacks over TLS need it. Its server makes the sockets of the client's objects by it. */
  @Test
  void aFactoryAtTheClientsOwnEndpointPassesIfItsClassIsAllowed() throws Exception {
    allow(Ledger.class, SslRMIClientSocketFactory.class);
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    TestAgent agent = agent();
    int port = listen(agent);
    agent.open(1, server.port());
    agent.request(1, takesWithFactory("gw.inner", port + 1));
    agent.expectRefused(1, 1, RefusalReason.OPERATION_NOT_PERMITTED);
    assertThat(server.connections()).isEmpty();

    byte[] own = takesWithFactory("gw.inner", port);
    agent.call(1, own, RETURN.length);
    assertThat(server.received()).isEqualTo(own);
  }

  @Test
  void aFactoryOfAnotherClassIsRefusedThoughTheEndpointIsTheClientsOwn() throws Exception {
    allow(Ledger.class);
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    TestAgent agent = agent();
    int port = listen(agent);
    agent.open(1, server.port());
    agent.request(1, takesWithFactory("gw.inner", port));
    agent.expectRefused(1, 1, RefusalReason.OPERATION_NOT_PERMITTED);
    assertThat(server.connections()).isEmpty();
    agent.call(1, CALL, RETURN.length); // the stream stays open
  }

  private void allow(Class<?>... classes) {
    String[] names = Stream.of(classes).map(Class::getName).toArray(String[]::new);
    bed.policy(
        new TargetGrant(
            Set.of("*"),
            List.of("127.0.0.1:*"),
            SessionBed.READING,
            Entry.enforced().classes(names).rules()));
  }

  private static byte[] takesWithFactory(String host, int port) throws Exception {
    Registry stub = LocateRegistry.getRegistry(host, port, new SslRMIClientSocketFactory());
    return Calls.method(OBJECT, "take()V", out -> out.writeObject(stub));
  }

  /** A Call whose argument is a stub of an object there, a registry. */
  private static byte[] takes(LedgerServer server, String host, int port) throws Exception {
    Registry stub = LocateRegistry.getRegistry(host, port);
    return server.take(out -> out.writeObject(stub));
  }
}

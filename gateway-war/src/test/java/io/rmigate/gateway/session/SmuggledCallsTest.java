package io.rmigate.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.policy.rule.Entry;
import io.rmigate.gateway.policy.rule.EntryRules;
import io.rmigate.gateway.relay.FailurePolicy;
import io.rmigate.gateway.relay.ScriptedRmiServer;
import io.rmigate.gateway.relay.address.NameService;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.protocol.AddressLiteral;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.LiveReference;
import io.rmigate.protocol.jrmp.message.RegistryOperation;
import io.rmigate.protocol.tunnel.Close;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.RefusalReason;
import io.rmigate.testing.LoopbackPort;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Calls behind and inside Calls (JRMP.md 4.5), and operations of the registry that policy denies.
 */
class SmuggledCallsTest {
  private static final int VOID_RETURN = 22;
  private static final InetAddress FIRST = AddressLiteral.parse("127.0.0.1").orElseThrow();
  private static final InetAddress SECOND = AddressLiteral.parse("127.0.0.2").orElseThrow();

  /** Its data are unframed in the protocol of RMI, and no parser knows their layout. */
  public static final class Opaque implements Externalizable {
    private static final long serialVersionUID = 1L;

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeInt(42);
      out.writeUTF("forty-two");
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException {
      in.readInt();
      in.readUTF();
    }
  }

  @RegisterExtension final SessionBed bed = new SessionBed();

  @Test
  void threeCallsInOneRequestCloseTheStreamAndNoneIsSent() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    LedgerServer ledger = bed.ledger();
    bed.grant(SessionBed.ALL);
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.open(3, ledger.port());
    agent.request(
        1, Calls.join(Calls.list(), Calls.rebind("ledger", ledger.stub()), Calls.lookup("ledger")));
    agent.expectClose(1, CloseCause.BAD_REQUEST);
    assertThat(agent.call(3, ledger.tick(), VOID_RETURN)).hasSize(VOID_RETURN);
    assertThat(server.connections()).isEmpty();
  }

  @Test
  void aCallBehindAnUnparseableArgumentIsNotExecuted() throws Exception {
    LedgerServer server = bed.ledger();
    byte[] first = server.take(out -> out.writeObject(new Opaque()));
    assertOnlyTheFirstIsExecuted(server, first);
  }

  @Test
  void aCallBehindMoreThanIsHeldBackIsNotExecuted() throws Exception {
    LedgerServer server = bed.ledger();
    byte[] first = server.take(out -> out.writeObject("x".repeat(100 * 1024)));
    assertOnlyTheFirstIsExecuted(server, first);
  }

  private void assertOnlyTheFirstIsExecuted(LedgerServer server, byte[] first) throws Exception {
    LiveReference before = server.ledgerReference();
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.request(
        1,
        Calls.join(
            first,
            server.tick(),
            Calls.rebind("ledger", server.stub()),
            Calls.rebind("evil", server.stub())));
    // The server closes with bytes unread, so that its Return may be lost to the reset.
    assertThat(agent.awaitReturnEnd(1).request()).isEqualTo(1);
    TestAgent.awaitThat(() -> server.taken() == 1);
    // The next Call comes after all that the server would have executed.
    agent.call(1, server.execute("next"), 26);
    assertThat(server.taken()).isEqualTo(1);
    assertThat(server.ticks()).isZero();
    assertThat(server.bound()).containsExactly("ledger");
    assertThat(server.ledgerReference()).isEqualTo(before);
    assertThat(bed.isolatedCalls()).isEqualTo(1);
  }

  @Test
  void aCallInsideARefusedArgumentIsNotExecuted() throws Exception {
    LedgerServer server = bed.ledger();
    byte[] hidden = server.tick();
    String integer =
        "7372"
            + "0011"
            + HexFormat.of().formatHex("java.lang.Integer".getBytes(StandardCharsets.US_ASCII))
            + "0000000000000001" // not its serialVersionUID
            + "02"
            + "%04x".formatted(hidden.length)
            + "42000161".repeat(hidden.length) // byte a
            + "707870"
            + HexFormat.of().formatHex(hidden);
    isolatedAndAnswered(server, server.takeRaw(integer));
    assertThat(server.taken()).isZero();
  }

  @Test
  void aCallInsideALongBlockIsNotExecuted() throws Exception {
    LedgerServer server = bed.ledger();
    byte[] hidden = server.tick();
    String header = HexFormat.of().formatHex(server.tick()).substring(14);
    String block = header + "00".repeat(1024 - 34) + HexFormat.of().formatHex(hidden);
    byte[] call =
        HexFormat.of().parseHex("50aced0005" + "7a%08x".formatted(block.length() / 2) + block);
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.request(1, call);
    agent.awaitReturnEnd(1);
    agent.call(1, server.execute("next"), 26);
    assertThat(server.ticks()).isEqualTo(1); // the outer one
    assertThat(bed.isolatedCalls()).isEqualTo(1);
  }

  private void isolatedAndAnswered(LedgerServer server, byte[] call) throws Exception {
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.request(1, call);
    agent.awaitReturnEnd(1);
    long answer = agent.port().dataBytes(1);
    assertThat(answer).isGreaterThan(VOID_RETURN);
    agent.call(1, server.execute("next"), 26);
    assertThat(server.ticks()).isZero();
    assertThat(bed.isolatedCalls()).isEqualTo(1);
  }

  @Test
  void anUnparseableCallGoesOverASingleOpConnectionAfterAHandshake() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    LedgerServer ledger = bed.ledger();
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.request(1, ledger.take(out -> out.writeObject(new Opaque())));
    TestAgent.awaitThat(() -> server.connections().size() == 2);
    TestAgent.awaitThat(() -> server.connections().get(1).received().length > 0);
    assertThat(server.connections().get(0).protocol()).isEqualTo(Jrmp.STREAM_PROTOCOL);
    assertThat(server.connections().get(0).received()).isEmpty();
    assertThat(server.connections().get(1).protocol()).isEqualTo(Jrmp.SINGLE_OP_PROTOCOL);
  }

  @Test
  void whatIsNoRmiServerSeesNoByteOfAnUnparseableCall() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.HTTP);
    LedgerServer ledger = bed.ledger();
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.request(1, ledger.take(out -> out.writeObject(new Opaque())));
    agent.expectRefused(1, 1, RefusalReason.NOT_JRMP);
    assertThat(server.received()).isEmpty();
    assertThat(server.connections()).hasSize(1);
  }

  /** What a name stands for may change at any time, as its owner likes. */
  @Test
  void anUnparseableCallGoesNowhereButToTheAddressThatHasCompletedAHandshake() throws Exception {
    List<ScriptedRmiServer> servers = bed.scriptedAtOnePort(FIRST, SECOND);
    LedgerServer ledger = bed.ledger();
    AtomicInteger asked = new AtomicInteger();
    TestAgent agent =
        agentAt(
            servers.get(0).port(),
            host -> new InetAddress[] {asked.getAndIncrement() == 0 ? FIRST : SECOND});
    agent.request(1, ledger.take(out -> out.writeObject(new Opaque())));
    TestAgent.awaitThat(() -> servers.stream().anyMatch(server -> server.received().length > 0));
    assertThat(servers.get(1).connections()).isEmpty();
    assertThat(protocols(servers.get(0)))
        .containsExactly(Jrmp.STREAM_PROTOCOL, Jrmp.SINGLE_OP_PROTOCOL);
    assertThat(asked).hasValue(1);
  }

  @Test
  void ofSeveralAddressesOnlyTheOneThatHasCompletedAHandshakeIsSentAnUnparseableCall()
      throws Exception {
    List<ScriptedRmiServer> servers = bed.scriptedAtOnePort(FIRST, SECOND);
    LedgerServer ledger = bed.ledger();
    int port = servers.get(0).port();
    servers.get(0).close();
    TestAgent agent = agentAt(port, host -> new InetAddress[] {FIRST, SECOND});
    agent.call(
        1, Calls.list(), VOID_RETURN); // answered at the second, for no server is at the first
    ScriptedRmiServer late = bed.scripted(FIRST, port);
    agent.request(1, ledger.take(out -> out.writeObject(new Opaque())));
    TestAgent.awaitThat(() -> servers.get(1).connections().size() + late.connections().size() == 2);
    TestAgent.awaitThat(() -> protocols(servers.get(1)).contains(Jrmp.SINGLE_OP_PROTOCOL));
    assertThat(late.connections()).isEmpty();
  }

  @Test
  void aServerThatHasMovedIsSentAnUnparseableCallOnceItHasCompletedAHandshakeThere()
      throws Exception {
    List<ScriptedRmiServer> servers = bed.scriptedAtOnePort(FIRST, SECOND);
    LedgerServer ledger = bed.ledger();
    AtomicReference<InetAddress> where = new AtomicReference<>(FIRST);
    TestAgent agent = agentAt(servers.get(0).port(), host -> new InetAddress[] {where.get()});
    byte[] spelling =
        Calls.method(ledger.object(), "tick()V", out -> out.writeObject(Calls.list()));
    agent.request(1, spelling);
    assertThat(agent.awaitReturnEnd(1).request()).isEqualTo(1);
    servers.get(0).close();
    TestAgent.awaitThat(() -> agent.session().view().streams().get(0).state().equals("IDLE"));
    where.set(SECOND);
    agent.request(1, spelling);
    agent.expectRefused(1, 2, RefusalReason.CONNECTION_REFUSED);
    assertThat(servers.get(1).connections()).isEmpty();
    agent.call(1, spelling, VOID_RETURN);
    assertThat(protocols(servers.get(1)))
        .containsExactly(Jrmp.STREAM_PROTOCOL, Jrmp.SINGLE_OP_PROTOCOL);
  }

  /** It was not judged for the server to which the stream's next message leads. */
  @Test
  void anUnparseableCallThatWaitsForAHandshakeGoesToNoOtherServer() throws Exception {
    try (LearningServer registry = new LearningServer(SECOND);
        ScriptedRmiServer named = bed.scripted(SECOND, LoopbackPort.free());
        ScriptedRmiServer silent =
            new ScriptedRmiServer(FailurePolicy.NEVER_ACK, FIRST, named.port())) {
      bed.policy(
          new TargetGrant(Set.of("*"), List.of("127.0.0.1:*"), SessionBed.READING),
          new TargetGrant(
              Set.of("*"), List.of("127.0.0.2:" + registry.port()), SessionBed.READING));
      TestAgent agent = bed.agent();
      registry.replyWith("127.0.0.1", named.port(), new ObjIdentifier(22, 1, 2, (short) 3));
      agent.open(1, "127.0.0.2", registry.port());
      agent.call(1, Calls.lookup("any"), registry.replyLength());
      agent.close(1);
      agent.open(3, "127.0.0.1", named.port());
      agent.request(
          3, Calls.method(ObjIdentifier.REGISTRY, "tick()V", out -> out.writeObject(Calls.list())));
      TestAgent.awaitThat(() -> silent.connections().size() == 1);

      agent.request(3, Calls.dgcAck(15));

      agent.expectRefused(3, 1, RefusalReason.CONNECTION_REFUSED);
      TestAgent.awaitThat(() -> named.received().length > 0);
      assertThat(protocols(named)).containsExactly(Jrmp.STREAM_PROTOCOL);
      assertThat(named.received()).endsWith(Calls.dgcAck(15)).hasSizeLessThan(60);
    }
  }

  /** With a stream to a host of which these names say where it is. */
  private TestAgent agentAt(int port, NameService names) {
    bed.names(names);
    bed.policy(new TargetGrant(Set.of("*"), List.of("rmi.example:*"), SessionBed.READING));
    TestAgent agent = bed.agent();
    agent.open(1, "rmi.example", port);
    return agent;
  }

  private static List<Integer> protocols(ScriptedRmiServer server) {
    return server.connections().stream().map(ScriptedRmiServer.Connection::protocol).toList();
  }

  @Test
  void anUnparseableCallSurvivesTheEndOfTheStreamsOwnConnection() throws Exception {
    LedgerServer server = bed.ledger();
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.call(1, server.execute("first"), 26);
    // A Call that spells another one and does not return before the other connection has ended.
    byte[] spelling =
        Calls.method(server.object(), "await()V", out -> out.writeObject(server.tick()));
    agent.request(1, spelling);
    TestAgent.awaitThat(() -> server.waiting() == 1);
    server.dropFirstConnection();
    TestAgent.awaitThat(() -> agent.session().view().streams().get(0).state().equals("IDLE"));
    assertThat(agent.returnEnds(1)).isEmpty();
    server.openGate();
    agent.awaitData(1, 26 + VOID_RETURN);
    assertThat(agent.awaitReturnEnd(1).request()).isEqualTo(2);
  }

  @Test
  void theLateEndOfASingleOpConnectionIsNoEndOfTheNextCall() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.KEEP_SINGLE_OP_OPEN);
    LedgerServer ledger = bed.ledger();
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    byte[] spelling =
        Calls.method(ledger.object(), "tick()V", out -> out.writeObject(Calls.list()));
    agent.call(1, spelling, VOID_RETURN);
    assertThat(bed.isolatedCalls()).isEqualTo(1);
    server.policy(FailurePolicy.NEVER_ANSWER);
    agent.request(1, Calls.list());
    TestAgent.awaitThat(() -> server.connections().get(0).received().length > 0);
    server.connections().get(1).close();
    TestAgent.awaitThat(server.connections().get(1)::ended);
    server.policy(FailurePolicy.NONE);
    agent.open(3, server.port());
    agent.call(3, Calls.list(), VOID_RETURN); // the relay has gone round meanwhile
    assertThat(agent.returnEnds(1)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"BIND", "REBIND", "UNBIND"})
  void changesOfARegistryAreRefusedInBothForms(RegistryOperation operation) throws Exception {
    LedgerServer server = bed.ledger();
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    Calls.Arguments arguments = arguments(operation, server);
    agent.request(1, Calls.registry(operation, arguments));
    agent.expectRefused(1, 1, RefusalReason.OPERATION_NOT_PERMITTED);
    agent.request(1, Calls.registryByHash(operation, arguments));
    agent.expectRefused(1, 2, RefusalReason.OPERATION_NOT_PERMITTED);
    assertThat(server.accepted()).isZero();
    assertThat(server.bound()).containsExactly("ledger");
    agent.call(1, server.tick(), VOID_RETURN); // the stream stays open
  }

  @ParameterizedTest
  @EnumSource(names = {"BIND", "REBIND", "UNBIND"})
  void changesOfARegistryAreSentWhenTheGrantSaysSo(RegistryOperation operation) throws Exception {
    LedgerServer server = bed.ledger();
    bed.grant(SessionBed.ALL);
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.call(1, Calls.registry(operation, arguments(operation, server)), VOID_RETURN);
    if (operation == RegistryOperation.UNBIND) {
      assertThat(server.bound()).isEmpty();
    } else {
      assertThat(server.bound()).containsExactlyInAnyOrder("ledger", "new");
    }
  }

  @Test
  void aChangeTooLongToBeHeldBackIsRefusedAndItsRestDropped() throws Exception {
    LedgerServer server = bed.ledger();
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    byte[] rebind =
        Calls.registry(
            RegistryOperation.REBIND,
            out -> {
              out.writeObject("x".repeat(60 * 1024));
              out.writeObject("y".repeat(60 * 1024));
            });
    agent.request(1, rebind);
    agent.expectRefused(1, 1, RefusalReason.OPERATION_NOT_PERMITTED);
    assertThat(server.accepted()).isZero();
    agent.call(1, server.tick(), VOID_RETURN);
  }

  @ParameterizedTest
  @EnumSource(names = {"LOOKUP", "LIST"})
  void readingARegistryIsRefusedWhenNothingIsGranted(RegistryOperation operation) throws Exception {
    LedgerServer server = bed.ledger();
    bed.grant(Set.of());
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.request(1, Calls.registry(operation, arguments(operation, server)));
    agent.expectRefused(1, 1, RefusalReason.OPERATION_NOT_PERMITTED);
    agent.request(1, Calls.registryByHash(operation, arguments(operation, server)));
    agent.expectRefused(1, 2, RefusalReason.OPERATION_NOT_PERMITTED);
    assertThat(server.accepted()).isZero();
  }

  @Test
  void aGrantOfOneOperationGrantsNoOther() throws Exception {
    LedgerServer server = bed.ledger();
    bed.grant(Set.of(RegistryOperation.BIND));
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.request(1, Calls.rebind("ledger", server.stub()));
    agent.expectRefused(1, 1, RefusalReason.OPERATION_NOT_PERMITTED);
    agent.request(1, Calls.lookup("ledger"));
    agent.expectRefused(1, 2, RefusalReason.OPERATION_NOT_PERMITTED);
  }

  /** Off, and in force without a word against what these tests send. */
  static Stream<EntryRules> classRules() {
    String opaque = Opaque.class.getName();
    return Stream.of(
        EntryRules.NONE, Entry.enforced().classes(opaque).opaque(List.of(opaque)).rules());
  }

  static Stream<Arguments> argumentsThatAreNoName() {
    return classRules()
        .flatMap(rules -> noNames().map(arguments -> Arguments.of(rules, arguments)));
  }

  private static Stream<Calls.Arguments> noNames() {
    return Stream.of(
        out -> out.writeObject(new String[] {"ledger"}),
        out -> out.writeObject(new Opaque()),
        out -> out.writeObject(new ArrayList<>(List.of("ledger"))),
        out -> {},
        out -> out.writeInt(7),
        out -> {
          out.writeObject("ledger");
          out.writeObject("ledger");
        },
        out -> {
          out.writeObject("ledger");
          out.writeObject(new ArrayList<>(List.of("ledger")));
        },
        out -> {
          out.writeObject("ledger");
          out.writeInt(7);
        });
  }

  /** Old registries deserialize any object in the place of the name (CVE-2017-3241). */
  @ParameterizedTest
  @MethodSource("argumentsThatAreNoName")
  void aLookupWhoseArgumentIsNotJustANameReachesNoRegistry(
      EntryRules rules, Calls.Arguments arguments) throws Exception {
    LedgerServer server = bed.ledger();
    grant(rules);
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    int refused = 0;
    for (RegistryOperation operation :
        List.of(RegistryOperation.LOOKUP, RegistryOperation.UNBIND)) {
      agent.request(1, Calls.registry(operation, arguments));
      agent.awaitRefused(1, refused++);
      agent.request(1, Calls.registryByHash(operation, arguments));
      assertThat(agent.awaitRefused(1, refused++).reason())
          .isEqualTo(RefusalReason.OPERATION_NOT_PERMITTED);
    }
    assertThat(server.accepted()).isZero();
    assertThat(bed.refused("registry-argument")).isEqualTo(refused);
  }

  @ParameterizedTest
  @MethodSource("namesInForce")
  void ofALookupOfNullTheServerSaysWhatIsWrong(EntryRules rules) throws Exception {
    LedgerServer server = bed.ledger();
    grant(rules);
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    for (RegistryOperation operation :
        List.of(RegistryOperation.LOOKUP, RegistryOperation.UNBIND)) {
      int before = (int) agent.port().dataBytes(1);
      agent.request(1, Calls.registry(operation, out -> out.writeObject(null)));
      TestAgent.awaitThat(
          () ->
              new String(agent.port().data(1), StandardCharsets.ISO_8859_1)
                      .indexOf(NullPointerException.class.getName(), before)
                  > 0);
    }
    assertThat(bed.refused("registry-argument") + bed.refused("registry-name")).isZero();
  }

  static Stream<EntryRules> namesInForce() {
    return Stream.concat(classRules(), Stream.of(Entry.enforced().names("ledger").rules()));
  }

  private void grant(EntryRules rules) {
    bed.policy(new TargetGrant(Set.of("*"), List.of("127.0.0.1:*"), SessionBed.ALL, rules));
  }

  @ParameterizedTest
  @MethodSource("classRules")
  void aListWithArgumentsReachesNoRegistry(EntryRules rules) throws Exception {
    LedgerServer server = bed.ledger();
    grant(rules);
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.request(1, Calls.registry(RegistryOperation.LIST, out -> out.writeObject(new Opaque[0])));
    agent.expectRefused(1, 1, RefusalReason.OPERATION_NOT_PERMITTED);
    assertThat(server.accepted()).isZero();
    assertThat(bed.refused("registry-argument")).isEqualTo(1);
  }

  // What is no message.

  @Test
  void aTruncatedCallClosesTheStream() throws Exception {
    byte[] call = Calls.lookup("ledger");
    rejected(Arrays.copyOf(call, call.length - 1));
  }

  @Test
  void aMalformedCallClosesTheStream() throws Exception {
    byte[] call = Calls.lookup("ledger");
    call[2] = 0;
    rejected(call);
  }

  @Test
  void anEmptyRequestClosesTheStream() throws Exception {
    rejected(new byte[0]);
  }

  @Test
  void aPingClosesTheStream() throws Exception {
    rejected(new byte[] {Jrmp.PING});
  }

  @Test
  void aShortDgcAckClosesTheStream() throws Exception {
    rejected(Calls.dgcAck(14));
  }

  @Test
  void aLongDgcAckClosesTheStream() throws Exception {
    rejected(Calls.dgcAck(16));
  }

  @Test
  void aPreambleClosesTheStream() throws Exception {
    rejected(HexFormat.of().parseHex("4a524d4900024b"));
  }

  @Test
  void aLongRequestThatIsNoCallClosesTheStream() throws Exception {
    rejected(Calls.join(new byte[] {Jrmp.RETURN}, new byte[80 * 1024]));
  }

  private void rejected(byte[] request) throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    LedgerServer ledger = bed.ledger();
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.open(3, ledger.port());
    agent.call(3, ledger.tick(), VOID_RETURN);
    agent.request(1, request);
    agent.expectClose(1, CloseCause.BAD_REQUEST);
    assertThat(server.connections()).isEmpty();
    agent.call(3, ledger.tick(), VOID_RETURN);
    assertThat(agent.port().frames(Close.class)).hasSize(1);
    // What was on its way when the stream closed is ignored, and the number is free afterwards.
    agent.say(new Data(1, true, Calls.list()));
    agent.close(1);
    agent.open(1, ledger.port());
    agent.call(1, ledger.tick(), VOID_RETURN);
    assertThat(server.connections()).isEmpty();
  }

  @Test
  void aSecondCallBeforeTheReturnClosesTheStream() throws Exception {
    LedgerServer server = bed.ledger();
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.open(3, server.port());
    agent.request(1, server.await());
    TestAgent.awaitThat(() -> server.waiting() == 1);
    agent.request(1, server.tick());
    agent.expectClose(1, CloseCause.BAD_REQUEST);
    agent.call(3, server.execute("other"), 26);
    assertThat(server.ticks()).isZero();
    server.openGate();
  }

  private static Calls.Arguments arguments(RegistryOperation operation, LedgerServer server) {
    return switch (operation) {
      case LIST -> out -> {};
      case LOOKUP, UNBIND -> out -> out.writeObject("ledger");
      case BIND, REBIND ->
          out -> {
            out.writeObject("new");
            out.writeObject(server.stub());
          };
    };
  }
}

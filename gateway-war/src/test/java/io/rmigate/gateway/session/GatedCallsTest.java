package io.rmigate.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.Rulebook;
import io.rmigate.gateway.policy.remote.JmxAccess;
import io.rmigate.gateway.policy.remote.JmxGrant;
import io.rmigate.gateway.policy.rule.ClassMode;
import io.rmigate.gateway.policy.rule.ClassSettings;
import io.rmigate.gateway.policy.rule.Entry;
import io.rmigate.gateway.policy.rule.EntryRules;
import io.rmigate.gateway.policy.rule.LearningLog;
import io.rmigate.gateway.policy.rule.Objection;
import io.rmigate.gateway.relay.FailurePolicy;
import io.rmigate.gateway.relay.ScriptedRmiServer;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.gateway.scan.Orders;
import io.rmigate.gateway.stream.Lockout;
import io.rmigate.gateway.testing.ClassJar;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.CallHeader;
import io.rmigate.protocol.jrmp.message.ListReturn;
import io.rmigate.protocol.jrmp.message.RegistryOperation;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Lookup;
import io.rmigate.protocol.tunnel.RefusalReason;
import io.rmigate.protocol.tunnel.Refused;
import io.rmigate.protocol.tunnel.RegistryName;
import io.rmigate.protocol.tunnel.Unbound;
import java.io.IOException;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.rmi.MarshalledObject;
import java.rmi.Remote;
import java.rmi.UnmarshalException;
import java.rmi.server.UnicastRemoteObject;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.rmi.ssl.SslRMIClientSocketFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A Call is looked into to its end, by the rules, before its first byte goes to a server. */
class GatedCallsTest {
  private static final int VOID_RETURN = 22;
  private static final int INT_RETURN = 26;

  /** The hash of an interface. */
  private static final long SOME_INTERFACE = 0x0123_4567_89ab_cdefL;

  /** A class of an application: neither allowed nor explained by itself. */
  static final class Order implements Serializable {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("unused")
    private final int number = 7;
  }

  /** In whose place another object stands once it is read. */
  static final class ResolvedOrder implements Serializable {
    private static final long serialVersionUID = 1L;

    private Object readResolve() {
      return new Order();
    }
  }

  @RegisterExtension final SessionBed bed = new SessionBed();
  @TempDir Path directory;

  private static EntryRules entry(ClassMode mode, List<String> classes, List<String> opaque) {
    return Entry.of(mode).classes(classes).opaque(opaque).rules();
  }

  private static TargetGrant grant(EntryRules calls) {
    return new TargetGrant(
        Set.of("*"), List.of("127.0.0.1:*", "localhost:*"), SessionBed.ALL, calls);
  }

  private void enforce(String... classes) {
    bed.policy(grant(entry(ClassMode.ENFORCE, List.of(classes), List.of())));
  }

  /** With a jar in which the server's interface and {@link Order} are. */
  private void enforceWithJar(EntryRules calls, Class<?>... classes) throws IOException {
    ClassSettings settings =
        new ClassSettings(
            ClassMode.ENFORCE,
            List.of(),
            List.of(),
            Optional.of(ClassJar.in(directory, classes)),
            ClassSettings.CALL_LIMIT);
    bed.policy(Rulebook.of(settings, LearningLog.NOTHING), grant(calls));
  }

  private static TestAgent agentAt(SessionBed bed, LedgerServer server) {
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    return agent;
  }

  static Stream<Arguments> places() throws IOException {
    Order gadget = new Order();
    return Stream.of(
            gadget,
            new ArrayList<>(List.of("x", gadget)),
            Map.of("key", gadget),
            new Object[] {1, gadget},
            new Order[0],
            Order.class,
            new MarshalledObject<>(gadget),
            new IllegalStateException(new SuppressingException(gadget)))
        .map(argument -> Arguments.of(argument));
  }

  /** Carries an object in an exception. */
  static final class SuppressingException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Which is serializable. */
    @SuppressWarnings({"unused", "serial"})
    private final Object carried;

    SuppressingException(Object carried) {
      this.carried = carried;
    }
  }

  @ParameterizedTest
  @MethodSource("places")
  void aClassThatNothingAllowsIsRefusedBeforeAByteIsSent(Object argument) throws Exception {
    LedgerServer server = bed.ledger();
    enforce();
    TestAgent agent = agentAt(bed, server);
    agent.request(1, server.take(out -> out.writeObject(argument)));
    agent.expectRefused(1, 1, RefusalReason.OPERATION_NOT_PERMITTED);
    assertThat(agent.awaitRefused(1, 0).text()).doesNotContain("Order");
    assertThat(server.accepted()).isZero();
    assertThat(agent.call(1, server.execute("next"), INT_RETURN)).hasSize(INT_RETURN);
  }

  @Test
  void valuesOfTheJdkPass() throws Exception {
    LedgerServer server = bed.ledger();
    enforce();
    TestAgent agent = agentAt(bed, server);
    Object values =
        Arrays.asList(
            "x", 7, 1.5, List.of(1L), Map.of("k", java.time.LocalDate.of(2020, 1, 2)), new int[3]);
    agent.call(1, server.take(out -> out.writeObject(values)), VOID_RETURN);
    assertThat(server.taken()).isEqualTo(1);
    assertThat(bed.isolatedCalls()).isZero();
  }

  @Test
  void aPatternAloneDoesNotExplainAClass() throws Exception {
    LedgerServer server = bed.ledger();
    enforce(Order.class.getName());
    TestAgent agent = agentAt(bed, server);
    agent.request(1, server.take(out -> out.writeObject(new Order())));
    agent.expectRefused(1, 1, RefusalReason.OPERATION_NOT_PERMITTED);
    assertThat(server.accepted()).isZero();
  }

  @Test
  void aPlainClassOfTheJarsPassesWhereAMethodTakesAnyObject() throws Exception {
    LedgerServer server = bed.ledger();
    enforceWithJar(Entry.ANY_OBJECT, Order.class, Ledger.class);
    TestAgent agent = agentAt(bed, server);
    agent.call(1, server.take(out -> out.writeObject(new Order())), VOID_RETURN);
    assertThat(server.taken()).isEqualTo(1);
  }

  @Test
  void aJarAloneDoesNotAllowAClassThatHasItsOwnWayOfBeingRead() throws Exception {
    LedgerServer server = bed.ledger();
    enforceWithJar(Entry.ANY_OBJECT, ResolvedOrder.class, Ledger.class);
    TestAgent agent = agentAt(bed, server);
    agent.request(1, server.take(out -> out.writeObject(new ResolvedOrder())));
    agent.expectRefused(1, 1, RefusalReason.OPERATION_NOT_PERMITTED);
    assertThat(server.accepted()).isZero();
  }

  @Test
  void anAllowedClassThatAJarExplainsPasses() throws Exception {
    LedgerServer server = bed.ledger();
    enforceWithJar(
        entry(ClassMode.ENFORCE, List.of(Order.class.getName()), List.of()),
        Order.class,
        Ledger.class);
    TestAgent agent = agentAt(bed, server);
    agent.call(1, server.take(out -> out.writeObject(new Order())), VOID_RETURN);
    assertThat(server.taken()).isEqualTo(1);
  }

  @Test
  void aMethodThatNoInterfaceHasIsRefused() throws Exception {
    LedgerServer server = bed.ledger();
    enforceWithJar(Entry.ANY_OBJECT, Ledger.class);
    TestAgent agent = agentAt(bed, server);
    agent.request(1, Calls.method(server.object(), "tock()V", out -> {}));
    agent.expectRefused(1, 1, RefusalReason.OPERATION_NOT_PERMITTED);
    assertThat(server.accepted()).isZero();
    agent.call(1, server.tick(), VOID_RETURN);
    assertThat(server.ticks()).isEqualTo(1);
  }

  /** The way of stubs of JDK 1.1, which tell the interface's hash and not the method's. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5})
  void anOperationNumberIsNoMethodOfTheJars(int operation) throws Exception {
    LedgerServer server = bed.ledger();
    enforceWithJar(Entry.ANY_OBJECT, Ledger.class);
    TestAgent agent = agentAt(bed, server);
    agent.request(1, Calls.call(server.object(), operation, SOME_INTERFACE, out -> {}));
    agent.expectRefused(1, 1, RefusalReason.OPERATION_NOT_PERMITTED);
    assertThat(server.accepted()).isZero();
  }

  /** By which a client's doctor asks whether an object is there. */
  @Test
  void theMethodThatNoObjectHasMayBeAskedFor() throws Exception {
    LedgerServer server = bed.ledger();
    enforceWithJar(Entry.ANY_OBJECT, Ledger.class);
    TestAgent agent = agentAt(bed, server);
    agent.request(1, Calls.call(server.object(), Jrmp.OPERATION_BY_HASH, 0, out -> {}));
    TestAgent.awaitThat(() -> agent.port().dataBytes(1) > VOID_RETURN); // what was thrown
    assertThat(server.accepted()).isEqualTo(1);
  }

  @Test
  void ofTheMethodsInTheJarsOnlyThoseThatTheEntryLeavesAreCalled() throws Exception {
    LedgerServer server = bed.ledger();
    String ledger = Ledger.class.getName();
    enforceWithJar(
        Entry.enforced()
            .methods(ledger + ".e*", "!" + ledger + ".swallow(byte[])", ledger + ".tick()")
            .rules(),
        Ledger.class);
    TestAgent agent = agentAt(bed, server);
    List<byte[]> others =
        List.of(
            server.swallow(new byte[1]),
            server.take(out -> out.writeObject("x")),
            Calls.method(server.object(), "tock()V", out -> {}));
    for (int i = 0; i < others.size(); i++) {
      agent.request(1, others.get(i));
      assertThat(agent.awaitRefused(1, i).reason())
          .isEqualTo(RefusalReason.OPERATION_NOT_PERMITTED);
    }
    assertThat(server.accepted()).isZero();
    agent.call(1, server.tick(), VOID_RETURN);
    agent.call(1, server.execute("x"), INT_RETURN);
    enforceWithJar(Entry.enforced().methods("!" + ledger + ".tick").rules(), Ledger.class);
    agent.request(1, server.tick());
    agent.awaitRefused(1, others.size());
    agent.call(1, server.execute("x"), INT_RETURN);
    assertThat(server.ticks()).isEqualTo(1);
    assertThat(server.executions("x")).isEqualTo(2);
  }

  @Test
  void anOpaqueClassGoesAlone() throws Exception {
    LedgerServer server = bed.ledger();
    bed.policy(
        grant(
            entry(
                ClassMode.ENFORCE, List.of(), List.of(SmuggledCallsTest.Opaque.class.getName()))));
    TestAgent agent = agentAt(bed, server);
    agent.request(1, server.take(out -> out.writeObject(new SmuggledCallsTest.Opaque())));
    agent.awaitReturnEnd(1);
    assertThat(server.taken()).isEqualTo(1);
    assertThat(bed.isolatedCalls()).isEqualTo(1);
  }

  @Test
  void whatCannotBeParsedIsRefused() throws Exception {
    LedgerServer server = bed.ledger();
    enforce(SmuggledCallsTest.Opaque.class.getName());
    TestAgent agent = agentAt(bed, server);
    agent.request(1, server.take(out -> out.writeObject(new SmuggledCallsTest.Opaque())));
    agent.expectRefused(1, 1, RefusalReason.OPERATION_NOT_PERMITTED);
    assertThat(server.accepted()).isZero();
  }

  /** T13: a registry has five methods, and no jar has to say so. */
  @ParameterizedTest
  @CsvSource({"-1, 42", "5, 4905912898345647071"})
  void whatIsNoMethodOfARegistryIsNotTriedThere(int operation, long hash) throws Exception {
    LedgerServer server = bed.ledger();
    enforce(Remote.class.getName(), Ledger.class.getName());
    TestAgent agent = agentAt(bed, server);
    agent.request(1, new CallHeader(ObjIdentifier.REGISTRY, operation, hash).encodeCall());
    agent.expectRefused(1, 1, RefusalReason.OPERATION_NOT_PERMITTED);
    assertThat(server.accepted()).isZero();
  }

  /** The server would get the descriptor: an object of a class that no list allows. */
  @Test
  void aDescriptorThatIsReferredToAsAnArgumentIsRefused() throws Exception {
    LedgerServer server = bed.ledger();
    enforce(Remote.class.getName(), Ledger.class.getName());
    TestAgent agent = agentAt(bed, server);
    Object[] both = {1, ObjectStreamClass.lookup(Integer.class)};
    agent.request(1, server.take(out -> out.writeObject(both)));
    agent.expectRefused(1, 1, RefusalReason.OPERATION_NOT_PERMITTED);
    assertThat(server.accepted()).isZero();
  }

  @Test
  void aReferenceThatTheSessionHasNotReceivedIsRefused() throws Exception {
    LedgerServer server = bed.ledger();
    LedgerServer foreign = bed.ledger();
    enforce(Remote.class.getName(), Ledger.class.getName());
    TestAgent agent = agentAt(bed, server);
    agent.request(1, server.take(out -> out.writeObject(foreign.stub())));
    agent.expectRefused(1, 1, RefusalReason.OPERATION_NOT_PERMITTED);
    assertThat(server.accepted()).isZero();
    assertThat(foreign.accepted()).isZero();
  }

  /** The server makes an object of the factory, and has it connect. */
  @ParameterizedTest
  @CsvSource({"true, true", "true, false", "false, true"})
  void aFactoryInAReferenceIsRefusedUnlessEndpointAndClassAreAllowed(
      boolean endpoint, boolean factory) throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    bed.policy(
        grant(
            Entry.enforced()
                .classes(
                    Remote.class.getName(),
                    factory ? SslRMIClientSocketFactory.class.getName() : Ledger.class.getName())
                .references(endpoint ? "127.0.0.1:*" : "far.example:1")
                .rules()));
    ObjIdentifier object = new ObjIdentifier(5, 1, 2, (short) 3);
    Remote plain = new Remote() {};
    Remote other = new Remote() {};
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    try {
      Remote stub = UnicastRemoteObject.exportObject(plain, 0);
      byte[] call = Calls.method(object, "take()V", out -> out.writeObject(stub));
      if (endpoint) {
        agent.call(1, call, VOID_RETURN);
      } else {
        agent.request(1, call);
        agent.expectRefused(1, 1, RefusalReason.OPERATION_NOT_PERMITTED);
      }
      int connections = server.connections().size();
      long before = connections == 0 ? 0 : server.connections().get(0).receivedBytes();
      Remote withFactory =
          UnicastRemoteObject.exportObject(other, 0, new SslRMIClientSocketFactory(), null);
      byte[] second = Calls.method(object, "take()V", out -> out.writeObject(withFactory));
      if (endpoint && factory) {
        agent.call(1, second, VOID_RETURN);
      } else {
        agent.request(1, second);
        TestAgent.awaitThat(() -> agent.refusals(1).stream().anyMatch(r -> r.request() == 2));
        assertThat(server.connections()).hasSize(connections);
        assertThat(connections == 0 ? 0 : server.connections().get(0).receivedBytes())
            .isEqualTo(before);
      }
      UnicastRemoteObject.unexportObject(other, true);
    } finally {
      UnicastRemoteObject.unexportObject(plain, true);
    }
  }

  @Test
  void aReferenceThatARegistryHasHandedOutPasses() throws Exception {
    LedgerServer server = bed.ledger();
    enforce(Ledger.class.getName());
    TestAgent agent = agentAt(bed, server);
    agent.request(1, Calls.lookup("ledger"));
    TestAgent.awaitThat(() -> agent.port().dataBytes(1) > VOID_RETURN);
    agent.open(3, server.port());
    agent.call(3, server.take(out -> out.writeObject(server.stub())), VOID_RETURN);
    assertThat(server.taken()).isEqualTo(1);
    server.dropConnections(); // its own, for the lease, would rest for 15 s
  }

  @Test
  void aReferenceFromATargetWithoutRulesMayBePassedOn() throws Exception {
    LedgerServer server = bed.ledger();
    LedgerServer other = bed.ledger();
    ScriptedRmiServer unruled = bed.scripted(FailurePolicy.NONE);
    byte[] reply = Calls.returned(other.stub());
    unruled.answer(reply);
    bed.policy(
        new TargetGrant(Set.of("*"), List.of("127.0.0.1:" + unruled.port()), SessionBed.READING),
        new TargetGrant(
            Set.of("*"),
            List.of("127.0.0.1:" + server.port()),
            SessionBed.READING,
            Entry.enforced().classes(Ledger.class.getName()).rules()));
    TestAgent agent = agentAt(bed, server);
    byte[] take = server.take(out -> out.writeObject(other.stub()));
    agent.request(1, take);
    agent.expectRefused(1, 1, RefusalReason.OPERATION_NOT_PERMITTED);
    agent.open(3, unruled.port());
    assertThat(agent.call(3, call(out -> {}), reply.length)).isEqualTo(reply);
    agent.call(1, take, VOID_RETURN);
    assertThat(server.taken()).isEqualTo(1);
    other.dropConnections(); // the server's, for its lease, would rest for 15 s
  }

  @Test
  void aLongCallIsGatheredToItsEndAndPasses() throws Exception {
    LedgerServer server = bed.ledger();
    enforce();
    TestAgent agent = agentAt(bed, server);
    byte[] call = server.swallow(new byte[1 << 20]);
    sendInParts(agent, call);
    assertThat(agent.awaitData(1, INT_RETURN)).hasSize(INT_RETURN);
    assertThat(bed.isolatedCalls()).isZero();
    TestAgent.awaitThat(() -> agent.creditGiven(1) >= call.length - 256 * 1024);
    assertThat(agent.creditGiven(1)).isLessThanOrEqualTo(call.length);
    TestAgent.awaitThat(() -> bed.registry().heldBytes().taken() == 0);
  }

  @Test
  void aWholeCallCountsAsHeldUntilItIsSentOrDropped() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NEVER_ACK);
    enforce();
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    int length = 1 << 20;
    sendInParts(agent, call(out -> out.writeObject(new byte[length])));
    assertThat(bed.registry().heldBytes().taken()).isBetween((long) length / 2, 2L * length);
    agent.close(1);
    assertThat(bed.registry().heldBytes().taken()).isZero();
  }

  private static byte[] call(Calls.Arguments arguments) {
    return Calls.method(new ObjIdentifier(7, 1, 2, (short) 3), "take()V", arguments);
  }

  @Test
  void aCallBeyondTheLimitIsRefusedAndTheStreamGoesOn() throws Exception {
    LedgerServer server = bed.ledger();
    bed.policy(grant(Entry.enforced().callLimit(512 * 1024).rules()));
    TestAgent agent = agentAt(bed, server);
    sendInParts(agent, server.swallow(new byte[1 << 20]));
    agent.expectRefused(1, 1, RefusalReason.OPERATION_NOT_PERMITTED);
    assertThat(server.accepted()).isZero();
    assertThat(agent.call(1, server.execute("next"), INT_RETURN)).hasSize(INT_RETURN);
  }

  /** As an agent does: never more than it has credit for. */
  private static void sendInParts(TestAgent agent, byte[] call) {
    sendInParts(agent, 1, call);
  }

  /** Sends a call on that stream, never more of it than there is credit for. */
  static void sendInParts(TestAgent agent, int stream, byte[] call) {
    int part = 16 * 1024;
    long credit = SessionSettings.DEFAULTS.limits().streamCredit();
    for (int from = 0; from < call.length; from += part) {
      int end = Math.min(from + part, call.length);
      TestAgent.awaitThat(() -> agent.creditGiven(stream) + credit >= end);
      byte[] bytes = Arrays.copyOfRange(call, from, end);
      if (end == call.length) {
        agent.request(stream, bytes);
      } else {
        agent.part(stream, bytes);
      }
    }
  }

  @Test
  void namesThatTheEntryDoesNotHaveAreNotLookedUpAndNothingIsListed() throws Exception {
    LedgerServer server = bed.ledger();
    bed.policy(grant(Entry.of(Optional.empty()).names("led*").rules()));
    TestAgent agent = agentAt(bed, server);
    int refused = 0;
    for (byte[] call :
        List.of(
            Calls.lookup("secret"),
            Calls.list(),
            Calls.registryByHash(RegistryOperation.LOOKUP, out -> out.writeObject("secret")),
            Calls.rebind("secret", server.stub()))) {
      agent.request(1, call);
      assertThat(agent.awaitRefused(1, refused++).reason())
          .isEqualTo(RefusalReason.OPERATION_NOT_PERMITTED);
    }
    assertThat(server.accepted()).isZero();
    agent.request(1, Calls.lookup("ledger"));
    TestAgent.awaitThat(() -> agent.port().dataBytes(1) > VOID_RETURN);
  }

  @Test
  void aListShowsOnlyTheNamesOfTheEntry() throws Exception {
    LedgerServer server = bed.ledger();
    server.rebind("secret", server.stub());
    bed.policy(grant(Entry.enforced().names("led*").rules()));
    TestAgent agent = agentAt(bed, server);
    for (byte[] call :
        List.of(Calls.list(), Calls.registryByHash(RegistryOperation.LIST, o -> {}))) {
      int before = (int) agent.port().dataBytes(1);
      agent.request(1, call);
      int length = Calls.returned(new String[] {"ledger"}).length + 1; // RMI annotates the class
      byte[] all = agent.awaitData(1, before + length);
      assertThat(ListReturn.decode(Arrays.copyOfRange(all, before, all.length), length))
          .get()
          .extracting(ListReturn::names)
          .isEqualTo(List.of("ledger"));
    }
    agent.call(1, server.execute("next"), INT_RETURN);
  }

  @Test
  void aListShowsAllNamesWhereTheEntrySaysSoAndTheOthersAreNotLookedUp() throws Exception {
    LedgerServer server = bed.ledger();
    server.rebind("secret", server.stub());
    bed.policy(grant(Entry.enforced().names("led*").listAll(true).rules()));
    TestAgent agent = agentAt(bed, server);
    int before = (int) agent.port().dataBytes(1);
    agent.request(1, Calls.list());
    int length = Calls.returned(new String[] {"ledger", "secret"}).length + 1;
    byte[] all = agent.awaitData(1, before + length);
    assertThat(
            ListReturn.decode(Arrays.copyOfRange(all, before, all.length), length)
                .orElseThrow()
                .names())
        .containsExactlyInAnyOrder("ledger", "secret");
    agent.request(1, Calls.lookup("secret"));
    agent.awaitRefused(1, 0);
    assertThat(bed.refused("registry-name")).isEqualTo(1);
  }

  @Test
  void whereNamesAreLimitedARegistryThatSaysSomethingElseThanAListEndsTheStream() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    bed.policy(grant(Entry.enforced().names("led*").rules()));
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    byte[] thrown = Calls.thrown(new IllegalStateException("x"));
    server.answer(thrown);
    agent.call(1, Calls.list(), thrown.length);
    server.answer(Calls.returned(new Object[] {"ledger", "secret"}));
    agent.request(1, Calls.list());
    agent.expectClose(1, CloseCause.NOT_PERMITTED);
    byte[] came = agent.port().data(1);
    assertThat(Calls.thrownIn(Arrays.copyOfRange(came, thrown.length, came.length)))
        .isExactlyInstanceOf(UnmarshalException.class)
        .hasMessageContaining("the call was executed; the result was refused");
    assertThat(bed.refused("reply-registry-name")).isEqualTo(1);
  }

  /** Of each order of the same interfaces a server makes a class, and keeps it. */
  @Test
  void aPrincipalHasServersMakeNoMoreThanSoManyClassesOfProxies() throws Exception {
    LedgerServer server = bed.ledger();
    enforce();
    TestAgent agent = agentAt(bed, server);
    agent.call(1, server.take(proxies(0, 250)), VOID_RETURN);
    agent.call(1, server.take(proxies(6, 256)), VOID_RETURN);
    TestAgent another = agentAt(bed, server);
    another.request(1, server.take(proxies(255, 257)));
    another.expectRefused(1, 1, RefusalReason.OPERATION_NOT_PERMITTED);
    assertThat(server.taken()).isEqualTo(2);
    another.call(1, server.take(proxies(100, 256)), VOID_RETURN);
    assertThat(server.taken()).isEqualTo(3);
  }

  /** Class objects, of the orders of some interfaces. */
  private static Calls.Arguments proxies(int from, int to) {
    return out -> {
      List<Object> classes = new ArrayList<>();
      for (int i = from; i < to; i++) {
        Class<?>[] interfaces = new Class<?>[Orders.of(i).length];
        for (int at = 0; at < interfaces.length; at++) {
          interfaces[at] = classOf(Orders.of(i)[at]);
        }
        ClassLoader loader = new ClassLoader(null) {};
        InvocationHandler nothing = (proxy, method, arguments) -> null;
        classes.add(i + ":" + "_".repeat(100)); // names are not to be too many for the bytes
        classes.add(Proxy.newProxyInstance(loader, interfaces, nothing).getClass());
      }
      out.writeObject(classes);
    };
  }

  private static Class<?> classOf(String name) throws IOException {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new IOException(e);
    }
  }

  @Test
  void whoGuessesManyMethodsIsLetDoNothingAnyMore() throws Exception {
    LedgerServer server = bed.ledger();
    enforceWithJar(Entry.ANY_OBJECT, Ledger.class);
    TestAgent agent = agentAt(bed, server);
    agent.call(1, server.tick(), VOID_RETURN);
    for (int i = 0; i < 20; i++) {
      assertThat(bed.registry().lockouts()).isEmpty();
      agent.request(1, Calls.method(server.object(), "guess" + i + "()V", out -> {}));
      agent.awaitRefused(1, i);
    }
    assertLockedOut("method ");
    agent.request(1, server.tick());
    Refused refused = agent.awaitRefused(1, 20);
    assertThat(refused.request()).isEqualTo(22);
    assertThat(refused.text())
        .startsWith(Lockout.LOCKED_OUT + "after " + LocalDate.now(ZoneOffset.UTC).getYear());
    assertThat(server.ticks()).isOne();
  }

  /** As a program does for whose interface there is no jar, or a jar of another version. */
  @Test
  void whatNoRulePermitsLocksNobodyOut() throws Exception {
    LedgerServer server = bed.ledger();
    enforceWithJar(Entry.enforced().names("ledger").rules(), Ledger.class);
    TestAgent agent = agentAt(bed, server);
    byte[] call = server.take(out -> out.writeObject(new Order()));
    for (int i = 0; i < 30; i++) {
      agent.request(1, Calls.method(server.object(), "other" + i + "()V", out -> {}));
      agent.awaitRefused(1, 3 * i);
      agent.request(1, Calls.lookup("other" + i));
      agent.awaitRefused(1, 3 * i + 1);
      agent.request(1, named(call, ORDER.substring(0, ORDER.length() - 4) + (1000 + i)));
      agent.awaitRefused(1, 3 * i + 2);
    }
    assertThat(server.accepted()).isZero();
    assertThat(bed.registry().lockouts()).isEmpty();
    agent.call(1, server.tick(), VOID_RETURN);
    assertThat(server.ticks()).isOne();
  }

  @Test
  void whoTriesManyClassesOfAttacksIsLetDoNothingAnyMore() throws Exception {
    LedgerServer server = bed.ledger();
    enforceWithJar(Entry.ANY_OBJECT, Ledger.class);
    TestAgent agent = agentAt(bed, server);
    byte[] call = server.take(out -> out.writeObject(new Order()));
    String functors = "org.apache.commons.collections.functors.";
    int digits = ORDER.length() - functors.length();
    for (int i = 0; i < 20; i++) {
      assertThat(bed.registry().lockouts()).isEmpty();
      String number = "G" + "0".repeat(digits - 3) + (10 + i);
      agent.request(1, named(call, functors + number));
      agent.awaitRefused(1, i);
    }
    assertLockedOut("class", "class-shape");
    agent.request(1, server.tick());
    assertThat(agent.awaitRefused(1, 20).text()).startsWith(Lockout.LOCKED_OUT);
    assertThat(server.accepted()).isZero();
  }

  private static final String ORDER = Order.class.getName();

  /** The class {@code Order} has another name, as long. */
  private static byte[] named(byte[] message, String name) {
    assertThat(name).hasSameSizeAs(ORDER);
    return new String(message, StandardCharsets.ISO_8859_1)
        .replace(ORDER, name)
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  private void assertLockedOut(String... first) {
    assertThat(bed.registry().lockouts())
        .singleElement()
        .satisfies(
            lockout ->
                assertThat(lockout.refused())
                    .hasSizeGreaterThanOrEqualTo(first.length)
                    .allMatch(thing -> Stream.of(first).anyMatch(each -> thing.startsWith(each))));
  }

  @Test
  void whoTriesManyTargetsIsLetDoNothingAnyMore() throws Exception {
    LedgerServer server = bed.ledger();
    bed.policy(
        new TargetGrant(Set.of("*"), List.of("127.0.0.1:" + server.port()), SessionBed.READING));
    TestAgent agent = agentAt(bed, server);
    tryTargets(agent, 0, 999);
    assertThat(bed.registry().lockouts()).isEmpty();
    tryTargets(agent, 999, 1000);
    assertLockedOut("1000 objects, references, targets and missing rules");
    agent.request(1, server.tick());
    agent.expectRefused(1, 1, RefusalReason.OPERATION_NOT_PERMITTED);
    assertThat(server.accepted()).isZero();
  }

  private static void tryTargets(TestAgent agent, int from, int to) {
    for (int i = from; i < to; i++) {
      int stream = 2 * i + 3;
      agent.open(stream, "10.9.8.7", 1099 + i);
      agent.request(stream, Calls.list());
      agent.awaitRefused(stream, 0);
      agent.close(stream);
    }
  }

  /** With {@code tunnel=*:*} proxies and exporters of metrics are tried, too, and looked up. */
  @Test
  void whatAJvmDialsBesideDoesNotTakeItsCallsAway() throws Exception {
    LedgerServer server = bed.ledger();
    bed.policy(
        new TargetGrant(Set.of("*"), List.of("127.0.0.1:" + server.port()), SessionBed.READING));
    TestAgent agent = bed.stranger();
    agent.hello(Feature.LOOKUPS);
    tryTargets(agent, 0, 100);
    for (int i = 1; i <= 100; i++) {
      EndpointId elsewhere = new EndpointId("10.9.8." + i, 1099);
      agent.say(new Lookup(i, false, new RegistryName(elsewhere, "x")));
    }
    TestAgent.awaitThat(() -> agent.port().frames(Unbound.class).size() == 100);
    agent.open(1, server.port());
    agent.call(1, server.tick(), VOID_RETURN);
    assertThat(server.ticks()).isOne();
  }

  @Test
  void operationsOfRegistriesThatNoRulePermitsLockNobodyOut() throws Exception {
    LedgerServer server = bed.ledger();
    bed.policy(new TargetGrant(Set.of("*"), List.of("127.0.0.1:*"), Set.of()));
    TestAgent agent = agentAt(bed, server);
    List<byte[]> calls =
        List.of(
            Calls.list(),
            Calls.lookup("x"),
            Calls.rebind("x", server.stub()),
            Calls.registry(RegistryOperation.UNBIND, out -> out.writeObject("x")));
    for (int i = 0; i < 20; i++) {
      int stream = 2 * (i / 4) + 3;
      if (i % 4 == 0) {
        agent.open(stream, "127.0.0.1", 20_001 + i);
      }
      agent.request(stream, calls.get(i % 4));
      agent.awaitRefused(stream, i % 4);
    }
    assertThat(server.accepted()).isZero();
    assertThat(bed.registry().lockouts()).isEmpty();
    agent.call(1, server.tick(), VOID_RETURN);
    assertThat(server.ticks()).isOne();
  }

  @Test
  void whoSendsManyThingsThatAreNoMessagesIsLetDoNothingAnyMore() throws Exception {
    LedgerServer server = bed.ledger();
    TestAgent agent = agentAt(bed, server);
    for (int i = 0; i < 20; i++) {
      int stream = 2 * i + 3;
      agent.open(stream, server.port());
      agent.request(stream, Calls.join(server.execute("x" + i), server.tick()));
      agent.expectClose(stream, CloseCause.BAD_REQUEST);
    }
    assertLockedOut("bad request ");
    agent.request(1, server.tick());
    agent.expectRefused(1, 1, RefusalReason.OPERATION_NOT_PERMITTED);
    assertThat(server.ticks()).isZero();
  }

  @Test
  void whoGuessesObjectsWithoutEndIsLetDoNothingAnyMore() throws Exception {
    LedgerServer server = bed.ledger();
    bed.policy(grant(streaming(false, false)));
    TestAgent agent = agentAt(bed, server);
    for (int i = 0; i < 1000; i++) {
      assertThat(bed.registry().lockouts()).isEmpty();
      agent.request(1, Calls.method(new ObjIdentifier(i, 1, 2, (short) 3), "tick()V", out -> {}));
      agent.awaitRefused(1, i);
    }
    assertLockedOut("1000 objects");
    agent.request(1, Calls.lookup("ledger"));
    agent.awaitRefused(1, 1000);
    assertThat(server.accepted()).isZero();
  }

  @Test
  void whoIsLockedOutIsSoInEverySessionAndNobodyElseIs() throws Exception {
    LedgerServer server = bed.ledger();
    enforceWithJar(Entry.enforced().names("ledger").rules(), Ledger.class);
    agentAt(bed, server).call(1, server.tick(), VOID_RETURN);
    for (int session = 0; session < 4; session++) {
      TestAgent agent = agentAt(bed, server);
      for (int i = 0; i < 5; i++) {
        agent.request(1, Calls.method(server.object(), "guess" + session + i + "()V", out -> {}));
        agent.awaitRefused(1, i);
      }
    }
    TestAgent next = agentAt(bed, server);
    next.request(1, server.tick());
    next.expectRefused(1, 1, RefusalReason.OPERATION_NOT_PERMITTED);
    assertThat(bed.refused("locked-out")).isEqualTo(1);
    assertThat(server.ticks()).isOne();
    assertThat(bed.registry().lockouts())
        .singleElement()
        .matches(lockout -> lockout.principal().equals("ann"))
        .matches(lockout -> lockout.refused().size() == 20);
    TestAgent other = bed.stranger(new Principal("bob", Principal.Scheme.BASIC));
    other.hello();
    other.awaitWelcome();
    other.open(1, server.port());
    other.call(1, server.tick(), VOID_RETURN);
    enforceWithJar(Entry.ANY_OBJECT, Ledger.class); // as a reload does it
    next.request(1, server.tick());
    next.awaitData(1, VOID_RETURN);
    assertThat(server.ticks()).isEqualTo(3);
  }

  @Test
  void whoNeedsARuleIsRefusedTheSameAgainAndAgainAndNothingElse() throws Exception {
    LedgerServer server = bed.ledger();
    enforceWithJar(Entry.ANY_OBJECT, Ledger.class);
    TestAgent agent = agentAt(bed, server);
    for (int i = 0; i < 25; i++) {
      agent.request(1, Calls.method(server.object(), "tock()V", out -> {}));
      agent.awaitRefused(1, i);
    }
    agent.call(1, server.tick(), VOID_RETURN);
    assertThat(server.ticks()).isEqualTo(1);
  }

  @Test
  void aTargetOfJmxTakesItsMethodsButThoseThatRunOtherCode() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    bed.policy(grant(Entry.enforced().jmx(true).rules()));
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    ObjIdentifier connection = new ObjIdentifier(42, 1, 2, (short) 3);
    String name = "Ljavax/management/ObjectName;";
    String subject = "Ljavax/security/auth/Subject;";
    agent.request(
        1,
        Calls.method(
            connection,
            "createMBean(Ljava/lang/String;"
                + name
                + subject
                + ")Ljavax/management/ObjectInstance;",
            out -> {
              out.writeObject("javax.management.loading.MLet");
              out.writeObject(null);
              out.writeObject(null);
            }));
    agent.expectRefused(1, 1, RefusalReason.OPERATION_NOT_PERMITTED);
    String command = "com.sun.management:type=DiagnosticCommand";
    agent.request(1, jmx(connection, INVOKE, command));
    assertThat(agent.awaitRefused(1, 1).request()).isEqualTo(2);
    assertThat(server.connections()).isEmpty();
    agent.call(1, jmx(connection, INVOKE, "java.lang:type=Memory"), VOID_RETURN);
    for (String looking :
        List.of(
            "getMBeanInfo(" + name + subject + ")Ljavax/management/MBeanInfo;",
            "getObjectInstance(" + name + subject + ")Ljavax/management/ObjectInstance;",
            "isRegistered(" + name + subject + ")Z")) {
      agent.call(1, jmx(connection, looking, command), VOID_RETURN);
    }
  }

  @Test
  void aTargetWhoseJmxMayBeReadIsNotChangedByIt() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    bed.policy(grant(Entry.enforced().jmx(JmxAccess.READ).rules()));
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    ObjIdentifier connection = new ObjIdentifier(42, 1, 2, (short) 3);
    String arguments = "(Ljavax/management/ObjectName;Ljavax/security/auth/Subject;)";
    agent.request(1, jmx(connection, "unregisterMBean" + arguments + "V", "a:type=A"));
    agent.expectRefused(1, 1, RefusalReason.OPERATION_NOT_PERMITTED);
    assertThat(server.connections()).isEmpty();
    agent.call(
        1,
        jmx(connection, "getMBeanInfo" + arguments + "Ljavax/management/MBeanInfo;", "a:type=A"),
        VOID_RETURN);
    assertThat(bed.refused("method")).isEqualTo(1);
  }

  @Test
  void atATargetWhichIsNotOfJmxNoMBeanIsMade() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    byte[] create =
        Calls.method(
            new ObjIdentifier(42, 1, 2, (short) 3),
            "createMBean(Ljava/lang/String;Ljavax/management/ObjectName;"
                + "Ljavax/security/auth/Subject;)Ljavax/management/ObjectInstance;",
            out -> {
              out.writeObject("X");
              out.writeObject(null);
              out.writeObject(null);
            });
    enforce();
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.request(1, create);
    agent.expectRefused(1, 1, RefusalReason.OPERATION_NOT_PERMITTED);
    assertThat(server.connections()).isEmpty();
    List<Objection> noted = new CopyOnWriteArrayList<>();
    ClassSettings learning =
        new ClassSettings(
            ClassMode.LEARN, List.of(), List.of(), Optional.empty(), ClassSettings.CALL_LIMIT);
    bed.policy(
        Rulebook.of(learning, (principal, target, objection) -> noted.add(objection)),
        grant(EntryRules.NONE));
    agent.call(1, create, VOID_RETURN);
    assertThat(noted)
        .extracting(Objection::remedy)
        .contains("jmx: true", "jmx-grants: [create-mbeans]");
  }

  @Test
  void whatJmxMayNotDoIsGrantedByItsName() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    ObjIdentifier connection = new ObjIdentifier(42, 1, 2, (short) 3);
    String subject = "Ljavax/security/auth/Subject;";
    Map<JmxGrant, byte[]> calls =
        Map.of(
            JmxGrant.CREATE_MBEANS,
            Calls.method(
                connection,
                "createMBean(Ljava/lang/String;Ljavax/management/ObjectName;"
                    + subject
                    + ")Ljavax/management/ObjectInstance;",
                out -> {
                  out.writeObject("com.acme.Harmless");
                  out.writeObject(null);
                  out.writeObject(null);
                }),
            JmxGrant.DIAGNOSTIC_COMMANDS,
            jmx(connection, INVOKE, "com.sun.management:type=DiagnosticCommand"),
            JmxGrant.CLASS_LOADING,
            jmx(connection, INVOKE, "a:type=javax.management.loading.MLet"));
    int refused = 0;
    for (JmxGrant granted : JmxGrant.values()) {
      bed.policy(grant(Entry.enforced().jmx(true).jmxGrants(granted).rules()));
      for (JmxGrant asked : JmxGrant.values()) {
        if (asked == granted) {
          agent.call(1, calls.get(asked), VOID_RETURN);
        } else {
          agent.request(1, calls.get(asked));
          agent.awaitRefused(1, refused++);
        }
      }
    }
    assertThat(bed.refused("method")).isEqualTo(6);
  }

  /** An operation of an MBean. */
  private static final String INVOKE =
      "invoke(Ljavax/management/ObjectName;Ljava/lang/String;Ljava/rmi/MarshalledObject;"
          + "[Ljava/lang/String;Ljavax/security/auth/Subject;)Ljava/lang/Object;";

  private static byte[] jmx(ObjIdentifier connection, String method, String name) {
    return Calls.method(
        connection,
        method,
        out -> {
          try {
            out.writeObject(new ObjectName(name));
          } catch (MalformedObjectNameException impossible) {
            throw new AssertionError(impossible);
          }
          out.writeObject(null);
        });
  }

  /** Where a jar says which methods there are. */
  @Test
  void agentsForTracesTellEachOtherNothingButStrings() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    enforceWithJar(EntryRules.NONE, Ledger.class);
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    ObjIdentifier context =
        new ObjIdentifier("io.opentelemetry.javaagent.context-call".hashCode(), 0, 0, (short) 0);
    Map<String, Object> odd = new HashMap<>(Map.of("traceparent", new Order()));
    agent.request(1, Calls.call(context, -2, -2, out -> out.writeObject(odd)));
    agent.expectRefused(1, 1, RefusalReason.OPERATION_NOT_PERMITTED);
    assertThat(server.connections()).isEmpty();
    agent.call(1, Calls.call(context, -1, -1, out -> {}), VOID_RETURN);
    Map<String, String> strings = new HashMap<>(Map.of("traceparent", "00-1-2-01"));
    agent.call(1, Calls.call(context, -2, -2, out -> out.writeObject(strings)), VOID_RETURN);
    assertThat(bed.refused("method")).isEqualTo(1);
    assertThat(server.connections()).as("the next call is of the same trace").hasSize(1);
  }

  @Test
  void objectsThatTheSessionWasNotGivenAreNotCalled() throws Exception {
    LedgerServer server = bed.ledger();
    bed.policy(
        grant(
            Entry.enforced().classes(Ledger.class.getName()).withoutSayingWhichObjects().rules()));
    TestAgent agent = agentAt(bed, server);
    agent.request(1, server.tick());
    assertThat(agent.awaitRefused(1, 0).text()).contains("look it up anew", "received-objects");
    assertThat(server.accepted()).isZero();
    agent.request(1, Calls.lookup("ledger"));
    TestAgent.awaitThat(() -> agent.port().dataBytes(1) > VOID_RETURN);
    agent.open(3, server.port());
    agent.call(3, server.tick(), VOID_RETURN);
    assertThat(server.ticks()).isEqualTo(1);
  }

  @Test
  void learningLetsPassAndNotesWhatEnforcingWouldRefuse() throws Exception {
    LedgerServer server = bed.ledger();
    List<Objection> noted = new CopyOnWriteArrayList<>();
    ClassSettings learning =
        new ClassSettings(
            ClassMode.LEARN, List.of(), List.of(), Optional.empty(), ClassSettings.CALL_LIMIT);
    bed.policy(
        Rulebook.of(learning, (principal, target, objection) -> noted.add(objection)),
        grant(EntryRules.NONE));
    TestAgent agent = agentAt(bed, server);
    agent.call(1, server.take(out -> out.writeObject(new Order())), VOID_RETURN);
    assertThat(server.taken()).isEqualTo(1);
    assertThat(noted)
        .extracting(Objection::reason)
        .containsExactlyInAnyOrder(
            "class " + Order.class.getName(),
            "class-shape " + Order.class.getName(),
            "object that no server had given",
            "target 127.0.0.1:" + server.port(),
            "method d274789b36af5692"); // take(Object)
  }

  /** After a restart, say: the stubs are still there, what the session was given is not. */
  @Test
  void whoHasStaleStubsMayStillLookUp() throws Exception {
    LedgerServer server = bed.ledger();
    bed.policy(grant(streaming(false, false)));
    TestAgent agent = agentAt(bed, server);
    for (int i = 0; i < 25; i++) {
      agent.request(1, Calls.method(new ObjIdentifier(i, 1, 2, (short) 3), "tick()V", out -> {}));
      agent.awaitRefused(1, i);
    }
    assertThat(server.accepted()).isZero();
    agent.request(1, Calls.lookup("ledger"));
    TestAgent.awaitThat(() -> server.accepted() == 1);
  }

  private static EntryRules streaming(boolean jmx, boolean anyObject) {
    Entry entry = Entry.enforced().callLimit(512 * 1024).stream(true).jmx(jmx);
    return (anyObject ? entry : entry.withoutSayingWhichObjects()).rules();
  }

  private void assertPaddedIsRefused(LedgerServer server, byte[] call) throws Exception {
    TestAgent agent = agentAt(bed, server);
    sendInParts(agent, call);
    agent.expectRefused(1, 1, RefusalReason.OPERATION_NOT_PERMITTED);
    assertThat(server.accepted()).isZero();
  }

  @Test
  void whereLongCallsPassAClassThatMayNotEndsThemBeforeItIsNamed() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    bed.policy(grant(streaming(false, true)));
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    sendInParts(
        agent,
        call(
            out -> {
              out.writeObject(new byte[700 * 1024]);
              out.writeObject(new ArrayList<>(List.of("x", new Order())));
            }));
    agent.expectClose(1, CloseCause.NOT_PERMITTED);
    TestAgent.awaitThat(server::allEnded);
    assertThat(new String(server.received(), StandardCharsets.ISO_8859_1)).doesNotContain("Order");
    assertThat(bed.refused("class-shape")).isEqualTo(1);
    assertThat(bed.registry().heldBytes().taken()).isZero();
  }

  @Test
  void whereLongCallsPassTheyDoWhole() throws Exception {
    LedgerServer server = bed.ledger();
    bed.policy(grant(streaming(false, true)));
    TestAgent agent = agentAt(bed, server);
    sendInParts(agent, server.swallow(new byte[3 << 20]));
    agent.awaitReturnEnd(1);
    assertThat(agent.awaitData(1, INT_RETURN)).hasSize(INT_RETURN);
    assertThat(bed.isolatedCalls()).isEqualTo(1);
    TestAgent.awaitThat(() -> bed.registry().heldBytes().taken() == 0);
  }

  @Test
  void whereLongCallsPassTheyEndAsCallsDo() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NEVER_READ);
    bed.policy(grant(streaming(false, true)));
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    byte[] call = call(out -> out.writeObject("x".repeat(1 << 20)));
    sendInParts(agent, Arrays.copyOf(call, call.length - 1));
    agent.expectClose(1, CloseCause.BAD_REQUEST);
    assertThat(bed.registry().heldBytes().taken()).isZero();
  }

  @Test
  void whereLongCallsPassTheirMethodIsLookedAt() throws Exception {
    LedgerServer server = bed.ledger();
    enforceWithJar(streaming(false, true), Ledger.class);
    assertPaddedIsRefused(
        server,
        Calls.method(server.object(), "tock([B)V", out -> out.writeObject(new byte[1 << 20])));
    assertThat(bed.isolatedCalls()).isZero();
  }

  @Test
  void whereLongCallsPassTheirObjectIsLookedAt() throws Exception {
    LedgerServer server = bed.ledger();
    bed.policy(grant(streaming(false, false)));
    assertPaddedIsRefused(server, server.swallow(new byte[1 << 20]));
  }

  @Test
  void whereLongCallsPassTheyCreateNoMBeans() throws Exception {
    LedgerServer server = bed.ledger();
    bed.policy(grant(streaming(true, true)));
    assertPaddedIsRefused(
        server,
        Calls.method(
            server.object(),
            "createMBean(Ljava/lang/String;Ljavax/management/ObjectName;"
                + "Ljavax/security/auth/Subject;)Ljavax/management/ObjectInstance;",
            out -> {
              out.writeObject("x".repeat(1 << 20));
              out.writeObject(null);
              out.writeObject(null);
            }));
  }
}

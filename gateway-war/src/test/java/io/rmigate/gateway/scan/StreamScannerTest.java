package io.rmigate.gateway.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.sun.management.ThreadMXBean;
import io.rmigate.gateway.scan.Finding.Kind;
import io.rmigate.gateway.scan.SeenClass.Role;
import io.rmigate.gateway.scan.shape.Shapes;
import io.rmigate.protocol.jrmp.CallBytes;
import io.rmigate.protocol.jrmp.GraphCorpus;
import io.rmigate.protocol.jrmp.MessageEnd;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.StreamClass;
import io.rmigate.protocol.jrmp.message.LiveReference;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectStreamConstants;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.rmi.MarshalledObject;
import java.rmi.Remote;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the scanner tells of Calls that the JDK wrote. */
class StreamScannerTest {
  private static final StreamScanner SCANNER =
      new StreamScanner(Shapes.ofJdk(), ScanLimits.DEFAULT);

  static ScanResult scan(byte[] call) {
    return SCANNER.request(call, 0, call.length);
  }

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static ScanResult scan(Object argument) {
    return scan(CallBytes.callWith(argument));
  }

  static List<Kind> kinds(ScanResult result) {
    return result.findings().stream().map(Finding::kind).toList();
  }

  private static List<String> names(ScanResult result) {
    return result.classes().stream().map(SeenClass::name).toList();
  }

  /** Lambdas cannot be explained. */
  static Stream<String> honest() {
    return GraphCorpus.graphs().keySet().stream().filter(name -> !name.equals("lambda"));
  }

  @ParameterizedTest
  @MethodSource("honest")
  void nothingIsFoundInWhatTheJdkWrites(String name) throws IOException {
    Object graph = GraphCorpus.graphs().get(name);
    for (int protocol = 1; protocol <= 2; protocol++) {
      byte[] call = CallBytes.call(null, protocol, out -> out.writeObject(graph));
      ScanResult result = CorpusShapes.scanner().request(call, 0, call.length);
      assertThat(result.findings()).isEmpty();
      assertThat(result.isClean(call.length)).isTrue();
      assertThat(result.classes()).allSatisfy(seen -> assertThat(seen.explained()).isTrue());
      JdkReader.Outcome read = JdkReader.receive(call);
      assertThat(names(result)).containsAll(read.resolved());
    }
  }

  /** An exception's stack trace, above all, looks otherwise there. */
  @Test
  void nothingIsFoundInWhatJdk8Writes() throws IOException {
    byte[] call;
    try (InputStream recorded = getClass().getResourceAsStream("/jdk8/call.bin")) {
      call = recorded.readAllBytes();
    }
    ScanResult result = scan(call);
    assertThat(result.findings()).isEmpty();
    assertThat(result.isClean(call.length)).isTrue();
    assertThat(result.classes()).hasSizeGreaterThan(50).allMatch(SeenClass::explained);
  }

  @Test
  void resetsAndLongBlocksAreNothingSpecial() {
    byte[] call =
        CallBytes.call(
            out -> {
              out.writeInt(1);
              out.writeObject(List.of("a"));
              out.reset();
              out.write(new byte[3000]);
              out.writeObject(new HashSet<>(List.of("a", "b")));
              out.writeObject(List.of("a"));
            });
    assertThat(scan(call).isClean(call.length)).isTrue();
  }

  @Test
  void whatFollowsTheCallIsNotClean() {
    byte[] call = CallBytes.callWith("a");
    byte[] more = Arrays.copyOf(call, call.length + 1);
    more[call.length] = 0x50;
    ScanResult result = scan(more);
    assertThat(result.end()).isEqualTo(new MessageEnd.Complete(call.length));
    assertThat(result.isClean(more.length)).isFalse();
  }

  /** T01, T09: the class is reported before any part of its object is read. */
  @Test
  void aClassThatNothingExplainsIsNamed() {
    ScanResult result = scan(new HashMap<>(Map.of("k", new Unknown())));
    assertThat(result.findings())
        .extracting(Finding::kind, Finding::subject)
        .containsExactly(tuple(Kind.UNEXPLAINED_CLASS, Unknown.class.getName()));
    assertThat(result.classes())
        .containsExactly(
            new SeenClass("java.util.HashMap", Role.DESCRIPTOR, true),
            new SeenClass(Unknown.class.getName(), Role.DESCRIPTOR, false));
  }

  static final class Unknown implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  @Test
  void lambdasAreUnexplained() {
    Object lambda = GraphCorpus.graphs().get("lambda");
    assertThat(names(scan(lambda))).contains("java.lang.invoke.SerializedLambda");
    assertThat(kinds(scan(lambda))).contains(Kind.UNEXPLAINED_CLASS);
  }

  @Test
  void classesAreToldForWhatTheyAreNamed() {
    Object proxy =
        Proxy.newProxyInstance(
            Remote.class.getClassLoader(),
            new Class<?>[] {Remote.class, Comparable.class},
            (InvocationHandler & Serializable) (p, method, arguments) -> null);
    ScanResult result = scan(new Object[] {new Thread.State[0][], Thread.class, proxy});
    assertThat(result.classes())
        .contains(
            new SeenClass("java.lang.Object", Role.ARRAY_ELEMENT, true),
            new SeenClass("java.lang.Thread$State", Role.ARRAY_ELEMENT, true),
            new SeenClass("java.lang.Thread", Role.CLASS_OBJECT, true),
            new SeenClass("java.rmi.Remote", Role.PROXY_INTERFACE, true),
            new SeenClass("java.lang.Comparable", Role.PROXY_INTERFACE, true),
            new SeenClass("java.lang.reflect.Proxy", Role.DESCRIPTOR, true));
  }

  /** T02, T10. */
  @Test
  void aCodebaseIsTold() {
    byte[] call =
        CallBytes.call(
            "http://a.example/",
            ObjectStreamConstants.PROTOCOL_VERSION_1,
            out -> out.writeObject(new ArrayList<>()));
    assertThat(kinds(scan(call))).containsExactly(Kind.CODEBASE);
  }

  @Test
  void referencesAreToldWithWhatHoldsThem() {
    byte[] call = Stubs.proxy(Stubs.reference("inside.example", 1099)).toByteArray();
    ScanResult result = scan(call);
    assertThat(result.isClean(call.length)).isTrue();
    assertThat(result.references())
        .containsExactly(
            new SeenReference(
                new LiveReference(
                    "inside.example",
                    1099,
                    new ObjIdentifier(7, 0, 0, (short) 0),
                    LiveReference.UNICAST_REF,
                    false,
                    false),
                "java.rmi.server.RemoteObjectInvocationHandler",
                List.of("java.rmi.Remote", "com.example.Service"),
                ""));
    assertThat(JdkReader.receive(call).resolved()).contains("com.example.Service");
  }

  /** T25. */
  @Test
  void aFactoryInAReferenceIsTold() {
    byte[] call =
        Stubs.proxyWithFactory(
                out ->
                    out.object()
                        .descriptor(Bombs.shape("javax.rmi.ssl.SslRMIClientSocketFactory"))
                        .nothing()
                        .data())
            .toByteArray();
    ScanResult result = scan(call);
    assertThat(result.findings()).isEmpty();
    assertThat(result.isClean(call.length)).isTrue();
    assertThat(result.references())
        .singleElement()
        .satisfies(
            seen -> {
              assertThat(seen.factory()).isEqualTo("javax.rmi.ssl.SslRMIClientSocketFactory");
              assertThat(seen.reference().ownFactory()).isTrue();
              assertThat(seen.reference().port()).isEqualTo(1099);
            });
    byte[] without = Stubs.proxyWithFactory(HandWritten::nothing).toByteArray();
    assertThat(scan(without).references())
        .singleElement()
        .satisfies(seen -> assertThat(seen.factory()).isEqualTo("null"));
  }

  /** T26: each of these makes an object of its own kind at the receiver. */
  @Test
  void otherKindsOfReferencesAreToldByTheirNames() {
    for (String kind : List.of("UnicastServerRef", "UnicastServerRef2", "ActivatableRef", "Any")) {
      byte[] call = Stubs.proxy(HandWritten.bytes().utf(kind).toByteArray()).toByteArray();
      assertThat(scan(call).findings())
          .extracting(Finding::kind, Finding::subject)
          .containsExactly(tuple(Kind.UNKNOWN_REFERENCE_KIND, kind));
    }
  }

  @Test
  void aReferenceThatIsNotWrittenAsTheJdkWritesItIsOdd() {
    byte[] good = Stubs.reference("h", 1);
    byte[] longer = Arrays.copyOf(good, good.length + 1);
    byte[] shorter = Arrays.copyOf(good, good.length - 1);
    byte[] portless = Stubs.reference("h", 0);
    for (byte[] block : List.of(longer, shorter, portless)) {
      assertThat(kinds(scan(Stubs.proxy(block).toByteArray()))).containsExactly(Kind.ODD_REFERENCE);
    }
    byte[] nothing = Stubs.proxyWith(out -> {}).toByteArray();
    assertThat(kinds(scan(nothing))).containsExactly(Kind.ODD_REFERENCE);
    byte[] more = Stubs.proxyWith(out -> out.block(good).string("more")).toByteArray();
    assertThat(kinds(scan(more))).containsExactly(Kind.ODD_REFERENCE);
  }

  /** T03. */
  @Test
  void classesInMarshalledObjectsAreTold() throws IOException {
    ScanResult result = scan(new MarshalledObject<>(new MarshalledObject<>(new Unknown())));
    assertThat(names(result)).contains("java.rmi.MarshalledObject", Unknown.class.getName());
    assertThat(kinds(result)).containsExactly(Kind.UNEXPLAINED_CLASS);
    assertThat(result.figures().nestedStreams()).isEqualTo(2);
  }

  /** T03. */
  @Test
  void streamsWithinStreamsHaveALimit() throws IOException {
    Object nested = "core";
    for (int i = 0; i < 3; i++) {
      nested = new MarshalledObject<>(nested);
    }
    assertThat(scan(nested).findings()).isEmpty();
    assertThat(kinds(scan(new MarshalledObject<>(nested)))).containsExactly(Kind.NESTED_TOO_OFTEN);
  }

  /** T06: twenty-six levels took a receiver seconds, and a hundred would take it for ever. */
  @Test
  void setsOfSharedSetsAreTooMuchHashing() {
    ScanResult result = scan(Bombs.setsOfSharedSets(100));
    assertThat(kinds(result)).containsExactly(Kind.TOO_MUCH_HASHING);
    assertThat(result.figures().hashingSteps()).isEqualTo(Long.MAX_VALUE);
  }

  /** Honest applications share, too. */
  @Test
  void whatIsSharedAndNotHashedIsNoTrouble() {
    List<Object> diamond = new ArrayList<>(List.of("x"));
    for (int i = 0; i < 60; i++) {
      diamond = new ArrayList<>(Arrays.asList(diamond, diamond));
    }
    Map<String, Object> values = new HashMap<>();
    values.put("a", diamond);
    values.put("b", diamond);
    ScanResult result = scan(values);
    assertThat(result.findings()).isEmpty();
    assertThat(result.figures().hashingSteps()).isEqualTo(2);
    assertThat(kinds(scan(Collections.singleton(diamond)))).isEmpty();
    assertThat(kinds(scan(Bombs.mapWithKey(CallBytes.callWith(diamond)))))
        .containsExactly(Kind.TOO_MUCH_HASHING);
  }

  @Test
  void depthHasALimit() {
    Object deep = "core";
    for (int i = 0; i < ScanLimits.DEFAULT.depth() + 5; i++) {
      deep = new Object[] {deep};
    }
    ScanResult result = scan(deep);
    assertThat(kinds(result)).containsExactly(Kind.TOO_DEEP);
    assertThat(result.figures().depth()).isGreaterThan(ScanLimits.DEFAULT.depth());
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 7, 16, 17, 33, 60})
  void depthIsLimitedByObjectsAndNotByTheirClasses(int classes) {
    int depth = ScanLimits.DEFAULT.depth();
    byte[] deepest = chain(HandWritten.call(), classes, depth);
    ScanResult whole = scan(deepest);
    assertThat(whole.end()).isEqualTo(new MessageEnd.Complete(deepest.length));
    assertThat(kinds(whole)).doesNotContain(Kind.TOO_DEEP);
    assertThat(kinds(scan(chain(HandWritten.call(), classes, depth + 5)))).contains(Kind.TOO_DEEP);

    byte[] reply = chain(HandWritten.reply(), classes, depth);
    StreamScanner.GrowingScan growing = SCANNER.growingReply();
    ScanResult last = null;
    for (int length = 7; length < reply.length + 7; length += 7) {
      last = growing.more(reply, Math.min(length, reply.length), reply.length);
    }
    assertThat(last.end()).isEqualTo(new MessageEnd.Complete(reply.length));
    assertThat(kinds(last)).doesNotContain(Kind.TOO_DEEP);
  }

  /** Objects within each other: each is in the topmost of the classes that its class extends. */
  private static byte[] chain(HandWritten call, int classes, int depth) {
    int described = 0;
    for (int level = 0; level < depth; level++) {
      call.object();
      if (level == 0) {
        described = call.handles();
        List<StreamClass.Field> fields = List.of(new StreamClass.Field("o", "Ljava/lang/Object;"));
        for (int i = 0; i < classes; i++) {
          call.descriptor("com.example.C" + i, 1, 2, fields);
        }
        call.nothing();
      } else {
        call.reference(described);
      }
      call.data();
    }
    for (int i = 0; i < classes * depth - (depth - 1); i++) {
      call.nothing();
    }
    return call.toByteArray();
  }

  @Test
  void numbersHaveLimits() {
    ScanLimits few =
        new ScanLimits(
            200, 10, 3, new ScanLimits.Told(3, 1, 64, 256), new ScanLimits.Hashing(1, 1), false);
    byte[] call =
        CallBytes.callWith(new Object[] {1, 2L, 3f, 4d, 5, "6", "7", "8", "9", "10", "11"});
    ScanResult result = new StreamScanner(Shapes.ofJdk(), few).request(call, 0, call.length);
    assertThat(kinds(result))
        .containsExactlyInAnyOrder(Kind.TOO_MANY_CLASSES, Kind.TOO_MANY_OBJECTS);
    assertThat(result.classes()).hasSize(3);
  }

  @Test
  void referencesHaveALimit() {
    byte[] most = Stubs.arguments(1024);
    assertThat(scan(most).isClean(most.length)).isTrue();
    ScanResult tooMany = scan(Stubs.arguments(1025));
    assertThat(kinds(tooMany)).containsExactly(Kind.TOO_MANY_REFERENCES);
    assertThat(tooMany.references()).hasSize(1024);
  }

  @Test
  void aListThatAServerReturnsMayHaveManyMoreReferences() {
    assertThat(longReply(16_384).findings()).isEmpty();
    assertThat(kinds(longReply(16_385))).containsExactly(Kind.TOO_MANY_REFERENCES);
  }

  private static ScanResult longReply(int stubs) {
    byte[] reply = Stubs.returned(stubs);
    StreamScanner.GrowingScan scan = SCANNER.longReply();
    ScanResult result = scan.more(reply, reply.length, reply.length);
    assertThat(result.end()).isEqualTo(new MessageEnd.Complete(reply.length));
    assertThat(result.references()).hasSize(Math.min(stubs, 16_384));
    assertThat(scan.rememberedBytes()).isGreaterThan(300L * result.references().size());
    return result;
  }

  @Test
  void referencesOfAReplyThatComesInCrumbsAreNotCopiedAgainAndAgain() {
    inCrumbs(100);
    long few = inCrumbs(1024);
    assertThat(inCrumbs(8 * 1024)).isLessThan(12 * few); // quadratic would be 64 times
  }

  /** Bytes that are allocated. */
  private static long inCrumbs(int stubs) {
    byte[] reply = Stubs.returned(stubs);
    StreamScanner.GrowingScan scan = SCANNER.longReply();
    long before = THREADS.getCurrentThreadAllocatedBytes();
    ScanResult result = null;
    for (int length = 40; length < reply.length + 64; length += 64) {
      result = scan.more(reply, Math.min(length, reply.length), reply.length);
    }
    long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
    assertThat(result.references()).hasSize(stubs);
    return allocated;
  }

  @Test
  void aHostThatIsLongerThanAnyNameIsNone() {
    assertThat(stubAt("a".repeat(255)).references()).hasSize(1);
    ScanResult longer = stubAt("a".repeat(256));
    assertThat(longer.references()).isEmpty();
    assertThat(longer.findings()).hasSize(1);
  }

  private static ScanResult stubAt(String host) {
    byte[] block = Stubs.reference(host, 1099);
    return scan(Stubs.proxyWith(out -> out.hex("7a").int32(block.length).raw(block)).toByteArray());
  }

  @Test
  void anArrayOfWhatIsNoClassIsTold() {
    for (String name : List.of("[Lcom.example.Thing", "[[", "[L", "[")) {
      HandWritten call = HandWritten.call();
      call.array().descriptor(name, 1, 2, List.of()).nothing().data().int32(0);
      ScanResult result = SCANNER.request(call.toByteArray(), 0, call.length());
      assertThat(kinds(result)).as(name).containsExactly(Kind.ODD_CLASS_NAME);
    }
  }

  @Test
  void aReplyInPiecesIsToldAsIfItHadComeAtOnce() {
    Object graph = GraphCorpus.graphs().get("many of each");
    byte[] reply = CallBytes.normalReturn(out -> out.writeObject(List.of(graph, new Unknown())));
    ScanResult whole = SCANNER.reply(reply, 0, reply.length);
    StreamScanner.GrowingScan growing = SCANNER.growingReply();
    ScanResult last = null;
    int findings = 0;
    for (int length = 1; length <= reply.length; length++) {
      last = growing.more(Arrays.copyOf(reply, length), length, reply.length);
      assertThat(last.findings()).hasSizeGreaterThanOrEqualTo(findings);
      findings = last.findings().size();
      assertThat(growing.understood()).isLessThanOrEqualTo(length);
    }
    assertThat(last).isEqualTo(whole);
    assertThat(growing.understood()).isEqualTo(reply.length);
    assertThat(findings).isPositive();
  }

  @Test
  void pingsHaveNothingInThem() {
    assertThat(scan(new byte[] {0x52}).isClean(1)).isTrue();
  }
}

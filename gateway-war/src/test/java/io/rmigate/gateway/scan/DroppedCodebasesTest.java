package io.rmigate.gateway.scan;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.rmigate.gateway.gate.RequestGate;
import io.rmigate.gateway.gate.Verdict;
import io.rmigate.gateway.policy.CallRules;
import io.rmigate.gateway.policy.JudgedMessage;
import io.rmigate.gateway.policy.Rulebook;
import io.rmigate.gateway.policy.WholeReply;
import io.rmigate.gateway.policy.rule.ClassMode;
import io.rmigate.gateway.policy.rule.ClassSettings;
import io.rmigate.gateway.policy.rule.Entry;
import io.rmigate.gateway.policy.rule.LearningLog;
import io.rmigate.gateway.policy.rule.Objection;
import io.rmigate.gateway.quota.Quota;
import io.rmigate.gateway.quota.Share;
import io.rmigate.gateway.scan.Finding.Kind;
import io.rmigate.gateway.scan.shape.Shapes;
import io.rmigate.protocol.jrmp.CallBytes;
import io.rmigate.protocol.jrmp.GrowingCall;
import io.rmigate.protocol.jrmp.MessageEnd;
import io.rmigate.protocol.jrmp.MessageGrammar;
import io.rmigate.protocol.jrmp.StreamClass;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamConstants;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.rmi.MarshalledObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * T10. Messages as JVMs write them whose classes have a codebase, and what goes on of them: by each
 * way, the bytes that a JVM would write which names the empty codebase where a string is new, and
 * none where it would refer to one.
 */
class DroppedCodebasesTest {
  private static final String CODEBASE = "http://build.example/classes/ file:/srv/application.jar";
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static final StreamScanner DROPPING =
      new StreamScanner(Shapes.ofJdk(), ScanLimits.DEFAULT, true, name -> false);
  private static final StreamScanner PLAIN = new StreamScanner(Shapes.ofJdk(), ScanLimits.DEFAULT);

  private static final int CALL = 0x50;
  private static final int RETURN = 0x51;

  /** What a JVM writes, and what is to go on of it. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Message(byte[] comes, byte[] goesOn) {}

  /** Says of each class which string it writes into the annotation. */
  private static final class Annotating extends ObjectOutputStream {
    private final Supplier<String> codebases;

    Annotating(OutputStream out, Supplier<String> codebases) throws IOException {
      super(out);
      this.codebases = codebases;
      useProtocolVersion(ObjectStreamConstants.PROTOCOL_VERSION_1);
    }

    @Override
    protected void annotateClass(Class<?> type) throws IOException {
      writeObject(codebases.get());
    }

    @Override
    protected void annotateProxyClass(Class<?> type) throws IOException {
      writeObject(codebases.get());
    }
  }

  private static byte[] message(int code, Supplier<String> codebases, Object... contents) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(code);
    try (ObjectOutputStream out = new Annotating(bytes, codebases)) {
      out.write(code == CALL ? new byte[34] : new byte[15]);
      for (Object content : code == CALL ? contents : new Object[] {contents}) {
        out.writeObject(content);
      }
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    byte[] message = bytes.toByteArray();
    if (code == RETURN) {
      message[7] = 1;
    }
    return message;
  }

  /** Codebases that are dropped, with what is to stand in the place of these. */
  private static Supplier<String> dropped(Supplier<String> codebases) {
    Set<String> known = Collections.newSetFromMap(new IdentityHashMap<>());
    return () -> {
      String codebase = codebases.get();
      return codebase != null && known.add(codebase) ? new String("") : null;
    };
  }

  private static Message of(int code, Supplier<String> codebases, Object... contents) {
    return new Message(
        message(code, codebases, contents), message(code, dropped(codebases), contents));
  }

  private static Object[] graph() {
    List<Object> list = new ArrayList<>(List.of(1, 2L, "text", new BigDecimal("1.50")));
    list.add(new UUID(1, 2));
    list.add(list);
    return new Object[] {
      "text", list, TimeUnit.SECONDS, new Object[] {list, Integer.class, new long[9]}, list, "end"
    };
  }

  private static Supplier<String> always(String codebase) {
    return () -> codebase;
  }

  private static Supplier<String> everyThird() {
    int[] count = {0};
    return () -> count[0]++ % 3 == 0 ? new String(CODEBASE) : null;
  }

  private static List<StreamClass.Field> marshalledFields() {
    return List.of(
        new StreamClass.Field("hash", "I"),
        new StreamClass.Field("locBytes", "[B"),
        new StreamClass.Field("objBytes", "[B"));
  }

  private static byte[] stream(Consumer<HandWritten> contents) {
    HandWritten out = HandWritten.bytes().hex("aced0005");
    contents.accept(out);
    return out.toByteArray();
  }

  /** A MarshalledObject behind what has been written, and a string that comes once more. */
  private static HandWritten marshalled(
      HandWritten out, String codebase, byte[] locations, byte[] object) {
    out.object()
        .unannotated("java.rmi.MarshalledObject", 8988374069173025854L, 2, marshalledFields());
    if (codebase == null) {
      out.nothing();
    } else {
      out.string(codebase);
    }
    out.end().nothing().data().int32(4711);
    int array = out.handles();
    out.array().descriptor("[B", -5984413125824719648L, 2, List.of()).nothing().data();
    out.int32(locations.length).raw(locations);
    out.array().reference(array).data().int32(object.length).raw(object);
    int text = out.handles();
    return out.string("behind").reference(text);
  }

  private static Message marshalled(int locations) {
    byte[] object =
        stream(
            out ->
                out.object()
                    .descriptor(Bombs.shape("java.util.Date"))
                    .nothing()
                    .data()
                    .block(new byte[8])
                    .end());
    byte[] comes = stream(out -> locations(out, locations, true));
    byte[] goesOn = stream(out -> locations(out, locations, false));
    return new Message(
        marshalled(HandWritten.call(), CODEBASE, comes, object).toByteArray(),
        marshalled(HandWritten.call(), "", goesOn, object).toByteArray());
  }

  private static void locations(HandWritten out, int count, boolean named) {
    out.string(named ? CODEBASE : "");
    for (int i = 2; i < count; i++) {
      out.nothing();
    }
    if (named) {
      out.reference(0);
    } else {
      out.nothing();
    }
  }

  /** In each other, so that two lengths change. */
  private static Message nested() {
    byte[] object = stream(out -> out.string("deep"));
    byte[] comes = stream(out -> locations(out, 4, true));
    byte[] goesOn = stream(out -> locations(out, 4, false));
    return new Message(
        marshalled(
                HandWritten.call(),
                null,
                comes,
                inner(out -> marshalled(out, CODEBASE, comes, object)))
            .toByteArray(),
        marshalled(
                HandWritten.call(), null, goesOn, inner(out -> marshalled(out, "", goesOn, object)))
            .toByteArray());
  }

  /** One object, and not what stands behind it. */
  private static byte[] inner(Consumer<HandWritten> object) {
    byte[] whole = stream(object);
    return Arrays.copyOf(whole, whole.length - 3 - "behind".length() - 5);
  }

  static Stream<Named<Message>> messages() {
    String early = "text" + System.nanoTime();
    return Stream.of(
        Named.of("one string", of(CALL, always(CODEBASE), graph())),
        Named.of("one string in a reply", of(RETURN, always(CODEBASE), graph())),
        Named.of("a string for each class", of(CALL, () -> new String(CODEBASE), graph())),
        Named.of("a string of one letter", of(CALL, () -> new String("a"), graph())),
        Named.of("two letters", of(CALL, () -> new String("ab"), graph())),
        Named.of("some have none", of(RETURN, everyThird(), graph())),
        Named.of("a long string", of(RETURN, always("http://a.example/ ".repeat(4000)), graph())),
        Named.of("a very long string", of(CALL, always("tt".repeat(0x740074 / 2)), graph())),
        Named.of("long strings", of(CALL, () -> "http://a.example/ ".repeat(4000), graph())),
        Named.of("an empty string", of(CALL, always(""), graph())),
        Named.of("in a MarshalledObject", marshalled(4)),
        Named.of("in one in one", nested()),
        Named.of("none", of(CALL, always(null), graph())),
        Named.of(
            "a value that stood before",
            new Message(
                message(CALL, always(early), early, new UUID(1, 2), early),
                message(CALL, always(null), early, new UUID(1, 2), early))));
  }

  private static CallRules rules(ClassMode mode) throws IOException {
    return Rulebook.of(ClassSettings.DEFAULT, LearningLog.NOTHING)
        .rules(List.of(Entry.of(mode).classes("java.rmi.MarshalledObject", "java.math.*").rules()));
  }

  /** The state of the long codebase must not be taken for that of the key behind it. */
  @Test
  void theTextBehindALongCodebaseIsNoPartOfIt() {
    String codebase = "x".repeat(2 * LongValues.SHORT_BYTES);
    byte[] call = message(CALL, always(codebase), new HashSet<>(List.of("key")));
    ScanNotes notes = new ScanNotes(ScanLimits.DEFAULT, true);
    StreamInspector watch =
        new StreamInspector(new KnownClasses(Shapes.ofJdk(), name -> false), notes, 0);
    watch.in(call, call.length);
    watch.takePieces();
    GrowingCall growing = new GrowingCall(watch);

    for (int length = 1000; length < call.length; length += 1000) {
      assertThat(growing.end(call, length)).isInstanceOf(MessageEnd.Truncated.class);
    }
    growing.end(call, call.length);

    assertThat(watch.result(new MessageEnd.Complete(0), call.length).findings()).isEmpty();
    assertThat(notes.hashingSteps()).isEqualTo(1);
    assertThat(watch.values().stepsAhead()).isZero();
    assertThat(watch.values().claimed()).isEqualTo(codebase.length());
  }

  @ParameterizedTest
  @MethodSource("messages")
  void asAWholeItGoesOnWithoutThem(Message message) {
    byte[] comes = message.comes;
    ScanResult seen =
        comes[0] == CALL
            ? DROPPING.request(comes, 0, comes.length)
            : DROPPING.reply(comes, 0, comes.length);
    assertThat(seen.end()).isEqualTo(new MessageEnd.Complete(comes.length));
    assertThat(seen.findings()).extracting(Finding::kind).doesNotContain(Kind.CODEBASE);
    assertThat(seen.dropped().without(comes)).isEqualTo(message.goesOn);
    assertThat(
            MessageGrammar.endOfRequest(message.goesOn, 0, message.goesOn.length)
                .equals(new MessageEnd.Complete(message.goesOn.length)))
        .isEqualTo(comes[0] == CALL);
  }

  @ParameterizedTest
  @MethodSource("messages")
  void whileItComesItGoesOnWithoutThem(Message message) throws IOException {
    int few = message.comes.length < 10_000 ? 1 : 997;
    for (int piece : new int[] {few, 7 * few, 64 * few, message.comes.length}) {
      for (int credit : new int[] {few, 5 * few, Integer.MAX_VALUE}) {
        assertThat(throughPieces(rules(ClassMode.ENFORCE), message.comes, piece, credit))
            .as("pieces of %d, credit %d", piece, credit)
            .isEqualTo(message.goesOn);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("messages")
  void whereNothingIsEnforcedItGoesOnAsItComes(Message message) throws IOException {
    CallRules rules = rules(ClassMode.LEARN);
    assertThat(throughPieces(rules, message.comes, 97, Integer.MAX_VALUE)).isEqualTo(message.comes);
    assertThat(new WholeReply(message.comes).by(rules).message()).isSameAs(message.comes);
  }

  private static byte[] throughPieces(CallRules rules, byte[] comes, int piece, int credit) {
    Share room = new Share(Quota.half(1 << 28));
    JudgedMessage judged =
        comes[0] == CALL
            ? rules.callOfServer(room, reference -> {})
            : rules.replyOfServer(room, reference -> {});
    ByteArrayOutputStream gone = new ByteArrayOutputStream();
    for (int at = 0; at < comes.length; at += piece) {
      int length = Math.min(piece, comes.length - at);
      List<Objection> objections = judged.more(ByteBuffer.wrap(comes, at, length));
      assertThat(objections.isEmpty() || !rules.enforces()).isTrue();
      while (judged.ready() > 0) {
        ByteBuffer next = judged.take(Math.min(credit, judged.ready()));
        byte[] bytes = new byte[next.remaining()];
        next.get(bytes);
        gone.writeBytes(bytes);
      }
      assertThat(judged.readyAsCome()).isZero();
    }
    assertThat(judged.isOver() || !rules.enforces()).isTrue();
    assertThat(judged.held()).isZero();
    judged.close();
    assertThat(room.taken()).isZero();
    return gone.toByteArray();
  }

  @Test
  void aBindingGoesOnWithoutThem() throws IOException {
    Message reply = of(RETURN, always(CODEBASE), graph());
    WholeReply whole = new WholeReply(reply.comes);
    WholeReply.Verdict verdict = whole.by(rules(ClassMode.ENFORCE));
    assertThat(verdict.objections()).isEmpty();
    assertThat(verdict.message()).isEqualTo(reply.goesOn);
    assertThat(whole.message()).isEqualTo(reply.comes);
  }

  @Test
  void whatTheJdkHasMarshalledIsStillThat() throws Exception {
    String name = Carried.class.getName();
    Object foreign;
    try (OwnClassLoader loader = new OwnClassLoader()) {
      foreign = loader.loadClass(name).getConstructor().newInstance();
      MarshalledObject<Object> marshalled = new MarshalledObject<>(foreign);
      byte[] call = CallBytes.callWith(marshalled);
      assertThat(text(call)).contains("file:");
      byte[] goesOn = DROPPING.request(call, 0, call.length).dropped().without(call);
      assertThat(text(goesOn)).doesNotContain("file:");
      assertThat(goesOn).hasSizeLessThan(call.length);
      Object read = argument(goesOn);
      assertThat(read).isEqualTo(marshalled).hasSameHashCodeAs(marshalled);
      assertThat(((MarshalledObject<?>) read).get()).isInstanceOf(Carried.class);
    }
  }

  /** What another loader has, too. */
  public static final class Carried implements java.io.Serializable {
    private static final long serialVersionUID = 1L;

    public Carried() {}
  }

  private static final class OwnClassLoader extends java.net.URLClassLoader {
    OwnClassLoader() {
      super(
          new java.net.URL[] {
            DroppedCodebasesTest.class.getProtectionDomain().getCodeSource().getLocation()
          },
          ClassLoader.getPlatformClassLoader());
    }
  }

  private static Object argument(byte[] call) throws IOException, ClassNotFoundException {
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(call, 1, call.length - 1)) {
          @Override
          protected Class<?> resolveClass(java.io.ObjectStreamClass type)
              throws IOException, ClassNotFoundException {
            readObject();
            return super.resolveClass(type);
          }
        }) {
      in.readFully(new byte[34]);
      return in.readObject();
    }
  }

  private static String text(byte[] bytes) {
    return new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1);
  }

  /** Its reader would see another value than the one that was judged. */
  @Test
  void aValueThatIsADroppedCodebaseIsRefused() {
    byte[] call = message(CALL, always(CODEBASE), new UUID(1, 2), CODEBASE);
    assertThat(findings(DROPPING, call)).containsExactly(Kind.REFERENCE_TO_CODEBASE);
    assertThat(findings(PLAIN, call)).containsExactly(Kind.CODEBASE);
    byte[] asKey =
        message(
            CALL,
            always(CODEBASE),
            new UUID(1, 2),
            new java.util.HashMap<>(java.util.Map.of(CODEBASE, 1)));
    assertThat(findings(DROPPING, asKey)).containsExactly(Kind.REFERENCE_TO_CODEBASE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Ljava/lang/Object;", ""})
  void aFieldWhoseTypeIsADroppedCodebaseIsMalformed(String codebase) {
    HandWritten out = HandWritten.call().object().unannotated("com.example.A", 1, 2, List.of());
    int handle = out.handles();
    out.string(codebase).end().nothing().data();
    out.object().hex("72").utf("com.example.B").int64(1).hex("02" + "0001" + "4c").utf("f");
    byte[] call = out.reference(handle).nothing().end().nothing().nothing().toByteArray();
    assertThat(DROPPING.request(call, 0, call.length).end())
        .isInstanceOf(MessageEnd.Malformed.class);
    assertThat(PLAIN.request(call, 0, call.length).end() instanceof MessageEnd.Complete)
        .isEqualTo(!codebase.isEmpty());
  }

  /** Each of which would have to be remembered. */
  @Test
  void moreCodebasesThanClassesAreRefused() {
    byte[] locations =
        stream(
            out -> {
              for (int i = 0; i < 100_000; i++) {
                out.string("a");
              }
            });
    byte[] object = stream(out -> out.string("text"));
    byte[] call = marshalled(HandWritten.call(), null, locations, object).toByteArray();
    long before = THREADS.getCurrentThreadAllocatedBytes();
    List<Kind> kinds = findings(DROPPING, call);
    long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
    assertThat(kinds).contains(Kind.TOO_MANY_CLASSES);
    assertThat(allocated).isLessThan(10L * call.length);
  }

  @Test
  void whatElseStandsInAnAnnotationIsRefusedAsBefore() {
    byte[] call =
        HandWritten.call()
            .object()
            .unannotated("java.util.Date", 7523967970034938905L, 3, List.of())
            .string("http://a.example/")
            .string("http://b.example/")
            .end()
            .nothing()
            .data()
            .block(new byte[8])
            .end()
            .toByteArray();
    assertThat(findings(DROPPING, call)).containsExactly(Kind.OBJECT_IN_ANNOTATION);
  }

  private static List<Kind> findings(StreamScanner scanner, byte[] call) {
    return scanner.request(call, 0, call.length).findings().stream().map(Finding::kind).toList();
  }

  /** The length of an array is a number like another, in front of the header of a stream. */
  @Test
  void aCallThatSpellsAnotherOnlyWhenItIsShorterIsSeenToDoSo() {
    int spelling = 0;
    for (int locations = 60; locations < 80; locations++) {
      Message message = marshalled(locations);
      byte[] comes = message.comes;
      ScanResult seen = DROPPING.request(comes, 0, comes.length);
      Verdict before = RequestGate.judge(comes, Set.of(), seen::end);
      Verdict after = RequestGate.ofShortened(before, seen.dropped().without(comes));
      assertThat(before).isInstanceOf(Verdict.Forward.class);
      boolean spells = MessageGrammar.spellsAnotherCall(message.goesOn, 0, message.goesOn.length);
      assertThat(after instanceof Verdict.Isolate).isEqualTo(spells);
      spelling += spells ? 1 : 0;
    }
    assertThat(spelling).isEqualTo(1);
  }

  /** So that small calls, and all without codebases, cost what they did. */
  @Test
  void whereThereAreNoneNothingIsCopiedOrMade() throws IOException {
    byte[] call = message(CALL, always(null), graph());
    ScanResult seen = DROPPING.request(call, 0, call.length);
    assertThat(seen.dropped()).isSameAs(DroppedCodebases.NONE);
    assertThat(seen.dropped().without(call)).isSameAs(call);
    assertThat(new WholeReply(call).by(rules(ClassMode.ENFORCE)).message()).isSameAs(call);
    JudgedMessage judged =
        rules(ClassMode.ENFORCE).callOfServer(new Share(Quota.half(1 << 20)), reference -> {});
    assertThat(judged.more(ByteBuffer.wrap(call))).isEmpty();
    assertThat(judged.take(10).array()).isSameAs(judged.take(10).array());
    judged.close();
    byte[] small = CallBytes.callWith("text");
    Optional<Long> dropping = allocated(DROPPING, small);
    assertThat(dropping).isEqualTo(allocated(PLAIN, small));
  }

  /** The fewest bytes of some scans, once code is compiled. */
  private static Optional<Long> allocated(StreamScanner scanner, byte[] call) {
    StreamScanner.RequestScans scans = scanner.requests();
    List<Long> each = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      scans.scan(call, 0, call.length);
      each.add(THREADS.getCurrentThreadAllocatedBytes() - before);
    }
    return each.stream().min(Long::compare);
  }
}

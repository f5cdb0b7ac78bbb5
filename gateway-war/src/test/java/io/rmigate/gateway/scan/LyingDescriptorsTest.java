package io.rmigate.gateway.scan;

import static io.rmigate.gateway.scan.StreamScannerTest.kinds;
import static io.rmigate.gateway.scan.StreamScannerTest.scan;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.scan.Finding.Kind;
import io.rmigate.gateway.scan.shape.Shape;
import io.rmigate.gateway.scan.shape.Shapes;
import io.rmigate.protocol.jrmp.CallBytes;
import io.rmigate.protocol.jrmp.MessageEnd;
import io.rmigate.protocol.jrmp.StreamClass.Field;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamConstants;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.rmi.MarshalledObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * T61: streams in which a receiver sees a class that no parser without classes can see. Each is
 * read by the JDK, too, to show that it is one; and nothing of it may be clean.
 */
class LyingDescriptorsTest {
  /** Behind them the arguments of a Call begin. */
  private static final int CALL_HEADER_BYTES = 41;

  /** Its name and number are plain ASCII, to stand in the middle of a text. */
  static final class Hidden implements Serializable {
    private static final long serialVersionUID = 0x2020202020202020L;
  }

  private static HandWritten hidden(HandWritten out) {
    return out.hex("73")
        .descriptor(Hidden.class.getName(), 0x2020202020202020L, 2, List.of())
        .nothing();
  }

  private static void expectHiddenAndFound(byte[] call, Kind kind) {
    ScanResult result = scan(call);
    assertThat(result.classes()).extracting(SeenClass::name).doesNotContain(Hidden.class.getName());
    assertThat(result.end()).isEqualTo(new MessageEnd.Complete(call.length));
    JdkReader.Outcome read = JdkReader.receive(call);
    assertThat(read.resolved()).as(read.failure()).contains(Hidden.class.getName());
    assertThat(kinds(result)).contains(kind);
  }

  @Test
  void aRemoteObjectWithoutDataOfItsOwnWhoseReaderReadsOnBehindTheCall() {
    Shape remote = Bombs.shape(Stubs.REMOTE_OBJECT);
    HandWritten call = HandWritten.call();
    call.object()
        .descriptor(Bombs.shape(Stubs.HANDLER))
        .descriptor(remote.name(), remote.serialVersionUid(), 2, List.of())
        .nothing()
        .data();
    ScanResult result = scan(call.toByteArray());
    assertThat(result.end()).isEqualTo(new MessageEnd.Complete(call.length()));
    assertThat(JdkReader.receive(call.toByteArray()).beyond()).isTrue();
    assertThat(kinds(result)).contains(Kind.SHAPE_MISMATCH);
  }

  @Test
  void fieldsOfRemoteObjectThatAreObjectsForItsReader() {
    HandWritten object = hidden(HandWritten.bytes().hex("77020000"));
    byte[] hidden = object.toByteArray();
    int longs = (hidden.length + 7) / 8;
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < longs; i++) {
      fields.add(new Field("f" + i, "J"));
    }
    Shape remote = Bombs.shape(Stubs.REMOTE_OBJECT);
    HandWritten call = HandWritten.call();
    call.object()
        .descriptor(Bombs.shape(Stubs.HANDLER))
        .descriptor(remote.name(), remote.serialVersionUid(), 3, fields)
        .nothing()
        .data();
    call.raw(hidden).raw(new byte[8 * longs - hidden.length]).end();
    expectHiddenAndFound(call.toByteArray(), Kind.SHAPE_MISMATCH);
  }

  /** No mark to stop at: what RemoteObject reads is, for the parser, another argument. */
  @Test
  void remoteObjectWithoutTheFlagForOwnData() {
    Shape remote = Bombs.shape(Stubs.REMOTE_OBJECT);
    HandWritten call = HandWritten.call();
    call.object()
        .descriptor(Bombs.shape(Stubs.HANDLER))
        .descriptor(remote.name(), remote.serialVersionUid(), 2, List.of())
        .nothing()
        .data();
    call.block(Stubs.reference("h", 1));
    assertThat(kinds(scan(call.toByteArray()))).contains(Kind.SHAPE_MISMATCH);
  }

  /**
   * Calendar's reader takes its zone, and goes on when there is none. A map that promises more than
   * it holds ends in the same failure, without its end having been read; from there on the reader
   * is one byte behind, and a text is no longer one.
   */
  @Test
  void aCalendarWhoseReaderGoesOnInTheMiddleOfAMap() {
    HandWritten call = HandWritten.call();
    call.object()
        .descriptor(Bombs.shape("java.util.GregorianCalendar"))
        .descriptor(Bombs.shape("java.util.Calendar"))
        .nothing()
        .data();
    call.hex("00 00000001 00 00 00000001 00000001 00000002 0000000000000000".replace(" ", ""));
    call.nothing().nothing().nothing();
    call.object().descriptor(Bombs.shape("java.util.HashMap")).nothing().data();
    call.int32(0x3F400000).int32(12).block(Bombs.size(16, 1)).end();
    call.end();
    // For us the Gregorian calendar's own number; for the reader, one byte later, a block of 't'
    // bytes begins with its last one.
    call.hex("0000000000000077");
    byte[] text =
        hidden(HandWritten.bytes().raw("x".repeat('t' - 2).getBytes(StandardCharsets.US_ASCII)))
            .toByteArray();
    call.hex("74%04x".formatted(text.length)).raw(text);
    expectHiddenAndFound(call.toByteArray(), Kind.ODD_OWN_DATA);
  }

  /**
   * In each annotation the reader of a message (not that of a MarshalledObject) looks for an
   * object, and where there is none that is the same failure. The reader takes the annotation's end
   * for that of the calendar's data, and the rest of the zone for what comes behind it: with the
   * number that it still wants the reference to the superclass goes, and the head of a text.
   */
  @Test
  void aCalendarWhoseReaderGoesOnInTheMiddleOfADescriptor() {
    HandWritten call = HandWritten.call();
    int timeZone = call.hex("76").handles();
    call.descriptor(Bombs.shape("java.util.TimeZone")).nothing().data();
    call.object()
        .descriptor(Bombs.shape("java.util.GregorianCalendar"))
        .descriptor(Bombs.shape("java.util.Calendar"))
        .nothing()
        .data();
    call.hex("00 00000001 00 00 00000001 00000001 00000002 0000000000000000".replace(" ", ""));
    call.nothing().nothing().nothing();
    Shape zone = Bombs.shape("sun.util.calendar.ZoneInfo");
    call.object().unannotated(zone.name(), zone.serialVersionUid(), 2, zone.fields()).end();
    call.reference(timeZone).data();
    byte[] id = hidden(HandWritten.bytes()).toByteArray();
    call.hex("74%04x".formatted(id.length)).raw(id).data();
    call.raw(new byte[17]).nothing().nothing().nothing().end();
    call.int64(0);
    expectHiddenAndFound(call.toByteArray(), Kind.ODD_OWN_DATA);
  }

  /** Receivers skip nothing behind the fields of a record, with any flags. */
  @Test
  void aRecordWithOwnData() {
    Shape pair = shapeOf(Pair.class);
    HandWritten call = HandWritten.call();
    call.object().descriptor(pair.name(), 0, 3, pair.fields()).nothing().data().int32(1);
    call.block((byte) 1).end();
    ScanResult result = scanner().request(call.toByteArray(), 0, call.length());
    assertThat(kinds(result)).containsExactly(Kind.SHAPE_MISMATCH);
    HandWritten honest = HandWritten.call();
    honest.object().descriptor(pair).nothing().data().int32(1);
    assertThat(scanner().request(honest.toByteArray(), 0, honest.length()).isClean(honest.length()))
        .isTrue();
  }

  record Pair(int number) implements Serializable {}

  /** Its flags say that it has none, and a local reader runs nevertheless. */
  @Test
  void anApplicationClassWithoutTheFlagForOwnData() {
    Shape custom = shapeOf(Custom.class);
    HandWritten call = HandWritten.call();
    call.object().descriptor(custom.name(), custom.serialVersionUid(), 2, List.of()).nothing();
    byte[] bytes = call.data().toByteArray();
    assertThat(kinds(scanner().request(bytes, 0, bytes.length)))
        .containsExactly(Kind.SHAPE_MISMATCH);
  }

  static final class Custom implements Serializable {
    private static final long serialVersionUID = 1L;

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.writeObject("x");
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.readObject();
    }
  }

  /** It declares a field that it never reads: honest, and yet it is unknown where its data end. */
  @Test
  void anHonestClassThatWritesItsOwnFormOnlyIsUnproven() {
    Shape own = shapeOf(OwnForm.class);
    HandWritten call = HandWritten.call();
    call.object().descriptor(own).nothing().data().int64(1).end();
    assertThat(kinds(scanner().request(call.toByteArray(), 0, call.length())))
        .containsExactly(Kind.UNPROVEN_CLASS);
  }

  @SuppressWarnings("UnusedVariable")
  static final class OwnForm implements Serializable {
    private static final long serialVersionUID = 1L;
    private long declared = 1;

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.writeObject("instead");
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.readObject();
      declared = 2;
    }
  }

  /** T02: the slot holds any object, and it is read. */
  @Test
  void anObjectInAnAnnotation() {
    HandWritten call = HandWritten.call();
    call.object().unannotated("java.lang.Integer", 0x12e2a0a4f7818738L, 2, INTEGER);
    hidden(call).end();
    call.descriptor(Bombs.shape("java.lang.Number")).nothing().data().int32(1);
    byte[] bytes = call.toByteArray();
    assertThat(kinds(scan(bytes)))
        .containsExactlyInAnyOrder(Kind.UNEXPLAINED_CLASS, Kind.OBJECT_IN_ANNOTATION);
    assertThat(JdkReader.receive(bytes).resolved()).contains(Hidden.class.getName());
  }

  /** Each of the classes is a finding that policy may tolerate. */
  @Test
  void aLieIsToldWhateverElseIs() {
    for (int classes : new int[] {0, 64, 1000}) {
      assertThat(kinds(scan(Bombs.lieBehind(classes)))).contains(Kind.SHAPE_MISMATCH);
    }
    ScanLimits few =
        new ScanLimits(
            200,
            1000,
            3,
            new ScanLimits.Told(1000, 1, 5, 256),
            new ScanLimits.Hashing(1, 1),
            false);
    byte[] call = Bombs.lieBehind(5);
    ScanResult result = new StreamScanner(Shapes.ofJdk(), few).request(call, 0, call.length);
    assertThat(kinds(result)).hasSize(6).endsWith(Kind.TOO_MANY_FINDINGS);
  }

  private static final List<Field> INTEGER = List.of(new Field("value", "I"));

  @Test
  void descriptorsThatDifferInAnything() {
    long suid = 0x12e2a0a4f7818738L;
    record Lie(String name, long suid, int flags, List<Field> fields, boolean superclass) {}
    List<Lie> lies =
        List.of(
            new Lie("java.lang.Integer", suid + 1, 2, INTEGER, true),
            new Lie("java.lang.Integer", suid, 3, INTEGER, true),
            new Lie("java.lang.Integer", suid, 2, List.of(), true),
            new Lie("java.lang.Integer", suid, 2, List.of(new Field("value", "J")), true),
            new Lie("java.lang.Integer", suid, 2, List.of(new Field("other", "I")), true),
            new Lie("java.lang.Integer", suid, 2, INTEGER, false),
            new Lie("[I", suid, 3, List.of(), false),
            new Lie("[I", suid, 2, INTEGER, false),
            new Lie("java.lang.Thread", suid, 0, List.of(), false));
    for (Lie lie : lies) {
      HandWritten call = HandWritten.call();
      call.hex("76").descriptor(lie.name(), lie.suid(), lie.flags(), lie.fields());
      if (lie.superclass()) {
        call.descriptor(Bombs.shape("java.lang.Number"));
      }
      call.nothing();
      assertThat(kinds(scan(call.toByteArray())))
          .as("%s", lie)
          .containsExactly(Kind.SHAPE_MISMATCH);
    }
  }

  @Test
  void aProxyWithAnotherSuperclass() {
    HandWritten call = HandWritten.call();
    call.object().proxy("java.rmi.Remote").descriptor(Bombs.shape("java.lang.Number")).nothing();
    assertThat(kinds(scan(call.toByteArray()))).contains(Kind.SHAPE_MISMATCH);
  }

  @Test
  void objectsThatAreWrittenInAnotherWay() {
    for (String name : List.of("java.lang.String", "java.util.EnumSet")) {
      HandWritten call = HandWritten.call();
      call.object().descriptor(Bombs.shape(name)).nothing();
      assertThat(kinds(scan(call.toByteArray()))).containsExactly(Kind.IMPOSSIBLE_OBJECT);
    }
    HandWritten array = HandWritten.call().object().descriptor("[I", 1, 2, List.of()).nothing();
    assertThat(kinds(scan(array.toByteArray()))).containsExactly(Kind.IMPOSSIBLE_OBJECT);
    HandWritten descriptor = HandWritten.call().descriptor(Bombs.shape("java.lang.Number"));
    assertThat(kinds(scan(descriptor.nothing().toByteArray())))
        .containsExactly(Kind.IMPOSSIBLE_OBJECT);
  }

  /** What holds an Integer and then refers to its descriptor, as the JDK writes that. */
  static Stream<Arguments> descriptorsAsValues() throws IOException {
    ObjectStreamClass integer = ObjectStreamClass.lookup(Integer.class);
    Object[] both = {1, integer};
    return Stream.<Object>of(
            both,
            new ArrayList<>(Arrays.asList(both)),
            new HashMap<>(Map.of(1, integer)),
            new AtomicReference<>(both),
            new Object[] {1, new AtomicReference<>(integer)},
            new MarshalledObject<>(both),
            new Object[] {proxy(), ObjectStreamClass.lookup(proxy().getClass())})
        .map(place -> Arguments.of(place));
  }

  private static Object proxy() {
    return Proxy.newProxyInstance(null, new Class<?>[] {Comparable.class}, new Handler());
  }

  private static final class Handler implements InvocationHandler, Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) {
      return null;
    }
  }

  @ParameterizedTest
  @MethodSource("descriptorsAsValues")
  void aDescriptorThatIsReferredToAsAValue(Object place) {
    byte[] call = CallBytes.callWith(place);
    byte[] reply = replyWith(Arrays.copyOfRange(call, CALL_HEADER_BYTES, call.length));
    StreamScanner scanner = CorpusShapes.scanner();

    assertThat(JdkReader.receive(call, true).failure()).isEmpty();
    for (ScanResult result :
        List.of(
            scanner.request(call, 0, call.length),
            scanner.reply(reply, 0, reply.length),
            inCrumbs(scanner.longCall(), call),
            inCrumbs(scanner.longReply(), reply))) {
      assertThat(kinds(result)).contains(Kind.IMPOSSIBLE_OBJECT);
    }
  }

  private static byte[] replyWith(byte[] contents) {
    return HandWritten.bytes()
        .hex("51aced0005770f01" + "00".repeat(14))
        .raw(contents)
        .toByteArray();
  }

  /** A byte at a time, with all forgotten that may be. */
  static ScanResult inCrumbs(StreamScanner.GrowingScan scan, byte[] message) {
    byte[] kept = {};
    ScanResult result = null;
    for (byte one : message) {
      kept = Arrays.copyOf(kept, kept.length + 1);
      kept[kept.length - 1] = one;
      result = scan.more(kept, kept.length, message.length);
      int count = scan.forgettable();
      if (count == 0) {
        continue;
      }
      int from = scan.understood() - count;
      byte[] moved = new byte[kept.length - count];
      System.arraycopy(kept, 0, moved, 0, from);
      System.arraycopy(kept, from + count, moved, from, moved.length - from);
      scan.forget(count, moved);
      kept = moved;
    }
    return result;
  }

  /**
   * A map that claims an entry more than it has ends in a failure which its reader swallows. From
   * there on the JDK takes the end of the map for that of the reader, and so on: for it the next
   * map ends where we see a block begin, in which the rest of the array stands.
   */
  @Test
  void anExternalizableThatReadsOnInTheMiddleOfAMap() {
    for (Class<?> reader : List.of(OwnReaders.Versioned.class, OwnReaders.Inheriting.class)) {
      HandWritten call = HandWritten.call();
      call.array().descriptor("[Ljava.lang.Object;", 1, 2, List.of()).nothing().data().int32(2);
      call.object().descriptor(Bombs.shape("java.util.LinkedHashMap"));
      int map = call.handles();
      call.descriptor(Bombs.shape("java.util.HashMap")).nothing().data();
      call.int32(0x3F400000).int32(12).block(Bombs.size(16, 1));
      call.object().descriptor(reader.getName(), 1, 0x0C, List.of()).nothing().data();
      call.object().reference(map).data();
      call.int32(0x3F400000).int32(12).block(Bombs.size(16, 1)).end();
      call.nothing().end();
      byte[] block = withoutToken(hidden(HandWritten.bytes()), 0x73);
      call.block(block).end().raw((byte) 0).nothing();
      expectHiddenAndUnproven(call.toByteArray());
    }
  }

  /** The JDK goes on where it was left by a ClassNotFoundException: where the fields begin. */
  @Test
  void fieldsOfAReaderThatMissesAClassBeforeIt() {
    Shape early = shapeOf(OwnReaders.Early.class);
    HandWritten call = HandWritten.call();
    call.array().descriptor("[Ljava.lang.Object;", 1, 2, List.of()).nothing().data().int32(2);
    call.object().descriptor(early).nothing().data();
    byte[] hidden = hidden(HandWritten.bytes()).toByteArray();
    call.raw(hidden).raw(new byte[8 * early.fields().size() - hidden.length]).nothing();
    expectHiddenAndUnproven(call.toByteArray());
  }

  /** Where an Externalizable stands in an argument, with no subclass's primitives behind it. */
  private static Stream<Arguments> placesInAnArgument() {
    return Stream.of(
        place("in a list", LyingDescriptorsTest::list, HandWritten::end),
        place("in an array", call -> array(call, 2), HandWritten::nothing),
        place("in a field", LyingDescriptorsTest::holder, HandWritten::nothing),
        place(
            "in a list of one with primitives behind its fields",
            call -> list(numbered(call)),
            call -> call.end().nothing().int64(1)));
  }

  private static Arguments place(
      String name, Consumer<HandWritten> begin, Consumer<HandWritten> end) {
    return Arguments.of(name, begin, end);
  }

  private static HandWritten array(HandWritten call, int length) {
    return call.array()
        .descriptor("[Ljava.lang.Object;", 1, 2, List.of())
        .nothing()
        .data()
        .int32(length);
  }

  private static HandWritten list(HandWritten call) {
    call.object().descriptor(Bombs.shape("java.util.ArrayList")).nothing().data();
    return call.int32(1).block(Bombs.size(1));
  }

  private static HandWritten holder(HandWritten call) {
    return call.object().descriptor(shapeOf(Externals.Holder.class)).nothing().data();
  }

  private static HandWritten numbered(HandWritten call) {
    return call.object()
        .descriptor(shapeOf(Externals.Numbered.class))
        .descriptor(shapeOf(Externals.Holder.class))
        .nothing()
        .data();
  }

  /** Bytes of the sender's choice, as many as {@link #hidden} takes. */
  private static HandWritten fixed(HandWritten call) {
    return call.object().descriptor(shapeOf(Externals.Fixed.class)).nothing().data();
  }

  private static byte[] fixedBytes(byte[] beginning) {
    assertThat(beginning).hasSizeLessThanOrEqualTo(Externals.Fixed.BYTES);
    return Arrays.copyOf(beginning, Externals.Fixed.BYTES);
  }

  private static void expectAmbiguous(Set<String> absent, byte[] call) {
    ScanResult result = scanner().request(call, 0, call.length);
    assertThat(result.classes()).extracting(SeenClass::name).doesNotContain(Hidden.class.getName());
    assertThat(result.end()).isEqualTo(new MessageEnd.Complete(call.length));
    JdkReader.Outcome read = JdkReader.receiveWithout(absent, call);
    assertThat(read.resolved()).as(read.failure()).contains(Hidden.class.getName());
    assertThat(kinds(result)).containsExactly(Kind.AMBIGUOUS_DATA);
    assertThat(kinds(inCrumbs(scanner().longCall(), call))).containsExactly(Kind.AMBIGUOUS_DATA);
  }

  /** A server that lacks the class takes none of its bytes, and the first of them for an object. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("placesInAnArgument")
  void anExternalizableThatBeginsAsAnObjectDoes(
      String place, Consumer<HandWritten> begin, Consumer<HandWritten> end) {
    HandWritten call = HandWritten.call();
    begin.accept(call);
    fixed(call).raw(fixedBytes(hidden(HandWritten.bytes()).toByteArray()));
    end.accept(call);
    expectAmbiguous(Set.of(Externals.Fixed.class.getName()), call.toByteArray());
  }

  /** Any other byte ends the reading of that server at once. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("placesInAnArgument")
  void anExternalizableThatBeginsAsNoObjectDoes(
      String place, Consumer<HandWritten> begin, Consumer<HandWritten> end) {
    for (int first = 0; first <= 0xFF; first++) {
      HandWritten call = HandWritten.call();
      begin.accept(call);
      fixed(call).raw(fixedBytes(new byte[] {(byte) first}));
      end.accept(call);
      byte[] bytes = call.toByteArray();
      boolean begins = first >= 0x70 && first <= 0x7E;
      assertThat(kinds(scanner().request(bytes, 0, bytes.length)))
          .as("%x", first)
          .isEqualTo(begins ? List.of(Kind.AMBIGUOUS_DATA) : List.of());
      JdkReader.Outcome read =
          JdkReader.receiveWithout(Set.of(Externals.Fixed.class.getName()), bytes);
      if (!begins) {
        assertThat(read.failure()).as("%x", first).contains("StreamCorruptedException");
      }
    }
  }

  /** It is the last that its server reads: no object is looked for behind it. */
  @Test
  void anExternalizableThatIsAnArgumentMayBeginAsAnObjectDoes() {
    HandWritten call = HandWritten.call();
    fixed(call).raw(fixedBytes(hidden(HandWritten.bytes()).toByteArray()));
    byte[] bytes = call.toByteArray();
    assertThat(kinds(scanner().request(bytes, 0, bytes.length))).isEmpty();
    JdkReader.Outcome read =
        JdkReader.receiveWithout(Set.of(Externals.Fixed.class.getName()), bytes);
    assertThat(read.resolved()).containsExactly(Externals.Fixed.class.getName());
  }

  /** A server that lacks the class of the object in the middle reads on behind that. */
  @Test
  void bytesBehindAnObjectInAnExternalizableThatBeginAsAnObjectDoes() {
    for (Consumer<HandWritten> missing :
        List.<Consumer<HandWritten>>of(
            LyingDescriptorsTest::absent,
            call -> absent(array(call, 1)),
            call -> {
              call.object().descriptor(shapeOf(OwnReaders.Careful.class)).nothing().data();
              call.int64(1);
            })) {
      HandWritten call = array(HandWritten.call(), 2);
      call.object().descriptor(shapeOf(Externals.Trailing.class)).nothing().data();
      missing.accept(call);
      call.raw(fixedBytes(hidden(HandWritten.bytes()).toByteArray())).nothing();
      expectAmbiguous(Set.of(), call.toByteArray());
    }
  }

  /** Its bytes become a subclass's primitives, and then objects from anywhere in them. */
  @Test
  void anExternalizableInFieldsWithPrimitivesBehindThem() {
    for (boolean deeper : new boolean[] {false, true}) {
      HandWritten call = numbered(array(HandWritten.call(), 2)).nothing();
      if (deeper) {
        array(call, 1);
      }
      byte[] hidden = hidden(HandWritten.bytes().int64(1)).toByteArray();
      fixed(call).raw(fixedBytes(hidden)).int64(2).nothing();
      expectAmbiguous(Set.of(Externals.Fixed.class.getName()), call.toByteArray());
    }
  }

  /** Not even of objects alone: the first of them would be read as primitives. */
  @Test
  void objectsOfAnExternalizableInFieldsWithPrimitivesBehindThem() {
    HandWritten call = numbered(array(HandWritten.call(), 2)).nothing();
    byte[] text =
        hidden(HandWritten.bytes().raw("xxxxx".getBytes(StandardCharsets.US_ASCII))).toByteArray();
    call.object().descriptor(shapeOf(Externals.Held.class)).nothing().data();
    call.hex("74%04x".formatted(text.length)).raw(text).int64(2).nothing();
    expectAmbiguous(Set.of(Externals.Held.class.getName()), call.toByteArray());
  }

  @Test
  void theSameInAReply() {
    HandWritten reply = array(HandWritten.reply(), 1);
    fixed(reply).raw(fixedBytes(hidden(HandWritten.bytes()).toByteArray()));
    byte[] bytes = reply.toByteArray();
    assertThat(kinds(scanner().reply(bytes, 0, bytes.length))).containsExactly(Kind.AMBIGUOUS_DATA);
  }

  /**
   * Where a receiver takes bytes for an object that a straight reading of the class takes for
   * bytes, nothing is known of where its data end.
   */
  private static void expectUnreadable(
      HandWritten call, Class<?> its, Set<String> absent, HandWritten data) {
    call.object().descriptor(shapeOf(its)).descriptor(shapeOf(UnclearExternals.Unknown.class));
    call.nothing().data();
    byte[] bytes = call.raw(data.toByteArray()).toByteArray();
    JdkReader.Outcome read = JdkReader.receiveWithout(absent, bytes);
    assertThat(read.resolved()).as(read.failure()).contains(Hidden.class.getName());
    ScanResult result = scanner().request(bytes, 0, bytes.length);
    assertThat(kinds(result)).isEmpty();
    assertThat(result.end())
        .isInstanceOfSatisfying(
            MessageEnd.Unparseable.class,
            end -> assertThat(end.externalizable()).contains(its.getName()));
  }

  private static byte[] hiddenBytes(byte... before) {
    return fixedBytes(hidden(HandWritten.bytes().raw(before)).toByteArray());
  }

  @Test
  void anExternalizableThatReadsAnObjectBeforeItThrows() {
    for (Class<?> its :
        List.of(UnclearExternals.ReadsBeforeItThrows.class, UnclearExternals.HandlerReads.class)) {
      HandWritten data = array(HandWritten.bytes(), 0).raw(hiddenBytes());
      expectUnreadable(HandWritten.call(), its, Set.of(), data);
    }
  }

  @Test
  void anExternalizableThatReadsOnWithoutTheClassOfAnObject() {
    HandWritten inHelper = HandWritten.bytes();
    absent(inHelper);
    inHelper.raw(hiddenBytes()).nothing();
    expectUnreadable(HandWritten.call(), UnclearExternals.HelperMisses.class, Set.of(), inHelper);
  }

  @Test
  void anExternalizableThatReadsOnWithoutTheClassOfAnExternalizable() {
    HandWritten unframed =
        fixed(HandWritten.bytes()).raw(hiddenBytes((byte) 0, (byte) 0, (byte) 0, (byte) 0));
    expectUnreadable(
        array(HandWritten.call(), 2),
        UnclearExternals.Misses.class,
        Set.of(Externals.Fixed.class.getName()),
        unframed.int32(0).nothing());
  }

  @Test
  void anExternalizableWhoseFieldIsReadFromAnotherStream() {
    HandWritten data = HandWritten.bytes().int32(1).raw(hiddenBytes());
    expectUnreadable(
        HandWritten.call(), UnclearExternals.WrittenFromOtherStream.class, Set.of(), data);
  }

  /** Any class: what an honest program sends there begins with a small number. */
  @Test
  void objectsOfAnyClassMayStandInTheMiddleOfAnExternalizable() {
    HandWritten call = array(HandWritten.call(), 2);
    call.object().descriptor(shapeOf(Externals.Blob.class)).nothing().data();
    absent(call.int32(3));
    call.raw(new byte[3]).nothing();
    assertThat(kinds(scanner().request(call.toByteArray(), 0, call.length()))).isEmpty();
  }

  /** A constant of an enum that JDK 8 has and no later one. */
  private static void absent(HandWritten call) {
    call.raw(ObjectStreamConstants.TC_ENUM);
    call.descriptor(Bombs.shape("java.lang.UNIXProcess$Platform"));
    call.descriptor(Bombs.shape("java.lang.Enum")).nothing().data().string("LINUX");
  }

  /** Its length is an object's token, and it goes on as the object does. */
  private static byte[] withoutToken(HandWritten object, int length) {
    byte[] bytes = object.toByteArray();
    byte[] block = new byte[length];
    Arrays.fill(block, ObjectStreamConstants.TC_NULL);
    System.arraycopy(bytes, 1, block, 0, bytes.length - 1);
    return block;
  }

  private static void expectHiddenAndUnproven(byte[] call) {
    ScanResult result = scanner().request(call, 0, call.length);
    assertThat(result.classes()).extracting(SeenClass::name).doesNotContain(Hidden.class.getName());
    assertThat(result.end()).isEqualTo(new MessageEnd.Complete(call.length));
    JdkReader.Outcome read = JdkReader.receive(call);
    assertThat(read.resolved()).as(read.failure()).contains(Hidden.class.getName());
    assertThat(kinds(result)).containsExactly(Kind.UNPROVEN_CLASS);
    assertThat(kinds(inCrumbs(scanner().longCall(), call))).containsExactly(Kind.UNPROVEN_CLASS);
  }

  /** As in a MarshalledObject, and in calls of web-service clients. */
  @Test
  void framedDataOfAnHonestExternalizableAreClean() {
    HandWritten call = HandWritten.call();
    call.object().descriptor(OwnReaders.Framed.class.getName(), 1, 0x0C, List.of()).nothing();
    call.data().block(Bombs.size(1)).string("value").end();
    ScanResult result = scanner().request(call.toByteArray(), 0, call.length());
    assertThat(result.isClean(call.length())).isTrue();
    assertThat(JdkReader.receive(call.toByteArray()).failure()).isEmpty();
  }

  /** Where the class of one is absent its reader stops, and six bytes are left for anybody. */
  @Test
  void whatIsNoTimeWithinATime() {
    HandWritten call = HandWritten.call();
    call.object().descriptor(Bombs.shape("java.time.chrono.Ser")).nothing().data().hex("06");
    hidden(call).data();
    call.hex("000000000000");
    assertThat(kinds(scan(call.toByteArray()))).contains(Kind.ODD_OWN_DATA);
  }

  @Test
  void marshalledBytesThatWereThereBefore() {
    HandWritten call = HandWritten.call();
    call.array().descriptor("[B", 1, 2, List.of()).nothing().data().int32(0);
    int bytes = call.handles() - 1;
    call.object().descriptor(Bombs.shape("java.rmi.MarshalledObject")).nothing().data();
    call.int32(1).nothing().reference(bytes);
    assertThat(kinds(scan(call.toByteArray()))).containsExactly(Kind.ODD_OWN_DATA);
  }

  @Test
  void marshalledBytesThatAreNoStream() {
    for (String stream : List.of("", "aced0005", "aced000574000161740001", "aced00057400016170")) {
      HandWritten call = HandWritten.call();
      call.object().descriptor(Bombs.shape("java.rmi.MarshalledObject")).nothing().data();
      call.int32(1).nothing();
      call.array().descriptor("[B", 1, 2, List.of()).nothing().data();
      call.int32(stream.length() / 2).hex(stream);
      assertThat(kinds(scan(call.toByteArray()))).containsExactly(Kind.ODD_NESTED_STREAM);
    }
  }

  private static final List<Class<?>> CLASSES =
      Stream.concat(Stream.of(Pair.class, Custom.class, OwnForm.class), OwnReaders.ALL.stream())
          .toList();

  /** Made once: it takes as long as all tests. */
  private static final class Known {
    static final List<Shape> SHAPES = CorpusShapes.of(all());
    static final StreamScanner SCANNER =
        new StreamScanner(Shapes.ofJdk().with(SHAPES), ScanLimits.DEFAULT);

    private static List<Class<?>> all() {
      List<Class<?>> all = new ArrayList<>(CLASSES);
      all.addAll(Externals.classes());
      return all;
    }
  }

  private static StreamScanner scanner() {
    return Known.SCANNER;
  }

  private static Shape shapeOf(Class<?> type) {
    return Known.SHAPES.stream()
        .filter(shape -> shape.name().equals(type.getName()))
        .findFirst()
        .orElseThrow();
  }
}

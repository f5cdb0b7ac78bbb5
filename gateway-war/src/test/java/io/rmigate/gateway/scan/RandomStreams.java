package io.rmigate.gateway.scan;

import io.rmigate.gateway.scan.shape.Shape;
import io.rmigate.gateway.scan.shape.Shape.Form;
import io.rmigate.gateway.scan.shape.Shapes;
import io.rmigate.protocol.jrmp.GraphCorpus;
import io.rmigate.protocol.jrmp.ReadSequence;
import io.rmigate.protocol.jrmp.ReadSequence.Step;
import io.rmigate.protocol.jrmp.StreamClass;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamConstants;
import java.io.UncheckedIOException;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Calls whose descriptors are all honest and whose data are not: any object in any field, though
 * mostly one that fits, any blocks and objects as own data. What a receiver makes of such a stream
 * depends on what its classes do, which is what shapes are about; damage to single bytes hardly
 * ever comes so far. All that the grammar has is among it, but TC_EXCEPTION, which ends the
 * reading.
 */
final class RandomStreams {
  private static final int MAX_DEPTH = 5;

  /** The flags of an Externalizable of which a parser knows where it ends. */
  private static final int FRAMED = 0x0C;

  private static final int MAX_BYTES = 4000;
  private static final int[] NUMBERS = {
    0, 0, 1, 1, 2, 3, 4, 7, 16, 70, 115, 117, 119, 120, 255, -1
  };

  private static final List<String[]> INTERFACES =
      List.of(
          new String[] {"java.rmi.registry.Registry"},
          new String[] {"java.rmi.Remote", "java.lang.Comparable"},
          new String[] {"java.rmi.Remote", "com.example.Absent"});

  /** What arrays are of. */
  private static final List<String> ELEMENTS =
      List.of(
          "B",
          "C",
          "D",
          "F",
          "I",
          "J",
          "S",
          "Z",
          "[I",
          "Ljava.lang.Object;",
          "Ljava.lang.String;",
          "Ljava.lang.Enum;",
          "Ljava.lang.StackTraceElement;",
          "Lsun.util.calendar.ZoneInfo;",
          "[Ljava.util.Map;",
          "Lcom.example.Absent;");

  /** Of which only the names travel. */
  private static final List<String> NAMES_ONLY =
      List.of("int", "java.lang.Object", "java.util.List", "com.example.Absent");

  /** One descriptor of this number lacks what its annotation has to hold. */
  private static final int BARE_EVERY = 150;

  private final Random random;
  private final List<Shape> shapes = new ArrayList<>();

  /** Exceptions, of which there are very many, all alike. */
  private final List<Shape> dull = new ArrayList<>();

  private final List<Shape> ownReaders;

  /** Externalizables of which it is known what they read. */
  private final List<Shape> followed = new ArrayList<>();

  private final Map<String, Shape> byName = new HashMap<>();

  /** By the type of a field: those whose objects fit. */
  private final Map<String, List<Shape>> fitting = new HashMap<>();

  /** Data that {@code java.time} has written, by the class. */
  private final Map<String, List<byte[]>> times = new HashMap<>();

  private static final String TIME = "java.time.Ser";
  private static final String CHRONOLOGY = "java.time.chrono.Ser";
  private static final List<String> TIMES = List.of(TIME, TIME, CHRONOLOGY, "java.time.zone.Ser");

  /** Bytes in front of an external object's data, beside the name of its class. */
  private static final int EXTERNAL_OVERHEAD = 4 + 1 + 3 + 11 + 2;

  /** Two, three, and one of them. */
  private static final List<Integer> HOLDS_OBJECTS = List.of(2, 3, 6);

  private HandWritten out;
  private int depth;

  /** Handles of descriptors, by the shape. */
  private final Map<Shape, Integer> described = new HashMap<>();

  /** Of classes that the running JDK has, and of {@link OwnReaders}. */
  RandomStreams(Random random) {
    this.random = random;
    for (Shape shape : Shapes.ofJdk().all()) {
      if (isThere(shape.name())) {
        byName.putIfAbsent(shape.name(), shape);
        boolean isDull = shape.name().endsWith("Exception") || shape.name().endsWith("Error");
        if (shape.form() != Form.EXTERNAL) {
          (isDull ? dull : shapes).add(shape);
        }
      }
    }
    ownReaders = CorpusShapes.of(OwnReaders.ALL);
    for (Shape shape : CorpusShapes.of(Externals.classes())) {
      byName.put(shape.name(), shape);
      if (shape.sequence().isPresent()) {
        followed.add(shape);
      }
    }
    GraphCorpus.graphs().values().forEach(this::addTime);
  }

  /** Its data, if they are bytes and nothing else. */
  private void addTime(Object value) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (ObjectOutputStream written = new ObjectOutputStream(bytes)) {
        written.useProtocolVersion(ObjectStreamConstants.PROTOCOL_VERSION_1);
        written.writeObject(value);
      }
      byte[] stream = bytes.toByteArray();
      for (String name : Set.copyOf(TIMES)) {
        int dataAt = EXTERNAL_OVERHEAD + name.length();
        if (stream.length <= dataAt) {
          continue;
        }
        boolean its =
            new String(stream, 8, name.length(), StandardCharsets.ISO_8859_1).equals(name);
        boolean holds = name.equals(CHRONOLOGY) && HOLDS_OBJECTS.contains((int) stream[dataAt]);
        if (its && !holds) {
          times
              .computeIfAbsent(name, first -> new ArrayList<>())
              .add(Arrays.copyOfRange(stream, dataAt, stream.length));
        }
      }
    } catch (NotSerializableException none) {
      // The corpus has such, too.
    } catch (IOException e) {
      throw new UncheckedIOException(e); // into memory
    }
  }

  private static boolean isThere(String name) {
    try {
      Class.forName(name, false, RandomStreams.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  /** The next Call. */
  byte[] next() {
    out = HandWritten.call();
    described.clear();
    depth = 0;
    for (int n = 1 + random.nextInt(2); n > 0; n--) {
      switch (random.nextInt(12)) {
        case 0 -> numbers();
        case 1 -> {
          out.hex("79");
          out.forgetHandles();
          described.clear();
        }
        default -> {}
      }
      value();
    }
    return out.toByteArray();
  }

  private boolean isFull() {
    return depth >= MAX_DEPTH || out.length() > MAX_BYTES;
  }

  /** What may stand in a field of that type, or anything else. */
  private void value(String signature) {
    if (isFull() || random.nextInt(6) == 0) {
      value();
    } else if (signature.equals("Ljava/lang/String;")) {
      string();
    } else if (signature.startsWith("[")) {
      array(signature.substring(1).replace('/', '.'));
    } else {
      List<Shape> some = fitting.computeIfAbsent(signature, this::fitting);
      if (some.isEmpty()) {
        value();
      } else {
        object(some.get(random.nextInt(some.size())));
      }
    }
  }

  private List<Shape> fitting(String signature) {
    try {
      String name = signature.substring(1, signature.length() - 1).replace('/', '.');
      Class<?> type = Class.forName(name, false, RandomStreams.class.getClassLoader());
      List<Shape> all = new ArrayList<>();
      for (Shape shape : byName.values()) {
        Class<?> its = Class.forName(shape.name(), false, RandomStreams.class.getClassLoader());
        boolean external = shape.form() == Form.EXTERNAL;
        if (!external && type.isAssignableFrom(its) && !Modifier.isAbstract(its.getModifiers())) {
          all.add(shape);
        }
      }
      return all;
    } catch (ClassNotFoundException | LinkageError e) {
      return List.of();
    }
  }

  private void string() {
    if (random.nextInt(8) == 0) {
      out.hex("7c").int64(2).raw((byte) 'l', (byte) ('0' + random.nextInt(3))).data();
    } else {
      out.string("s" + random.nextInt(3));
    }
  }

  private void value() {
    switch (random.nextInt(isFull() ? 4 : 22)) {
      case 0, 1 -> out.nothing();
      case 2 -> string();
      case 3 -> {
        if (out.handles() > 0) {
          out.reference(random.nextInt(out.handles()));
        } else {
          out.nothing();
        }
      }
      case 4 -> array(ELEMENTS.get(random.nextInt(ELEMENTS.size())));
      case 5 -> proxy();
      case 6 -> marshalled();
      case 7 -> object(ownReaders.get(random.nextInt(ownReaders.size())));
      case 8 -> time(TIMES.get(random.nextInt(TIMES.size())));
      case 19, 20, 21 -> followed(followed.get(random.nextInt(followed.size())));
      case 9 -> {
        out.hex("76");
        if (random.nextBoolean()) {
          out.descriptor(NAMES_ONLY.get(random.nextInt(NAMES_ONLY.size())), 0, 0, List.of());
          out.nothing();
        } else {
          descriptor(any());
        }
        out.data();
      }
      default -> object(any());
    }
  }

  private Shape any() {
    List<Shape> some = random.nextInt(10) == 0 ? dull : shapes;
    return some.get(random.nextInt(some.size()));
  }

  private void array(String element) {
    depth++;
    out.array().descriptor("[" + element, 1, 2, List.of()).nothing().data();
    int length = random.nextInt(random.nextInt(20) == 0 ? 40 : 4);
    out.int32(length);
    for (int i = 0; i < length; i++) {
      if (element.length() == 1) {
        primitive(element.charAt(0));
      } else {
        value(element.replace('.', '/'));
      }
    }
    depth--;
  }

  /** An object of java.time, perhaps with damage. */
  private void time(String name) {
    depth++;
    out.object();
    external(byName.get(name));
    out.data();
    if (name.equals(CHRONOLOGY) && !isFull() && random.nextInt(3) == 0) {
      int type = HOLDS_OBJECTS.get(random.nextInt(HOLDS_OBJECTS.size()));
      out.raw((byte) type);
      for (int n = type == 6 ? 1 : type; n > 0; n--) {
        if (random.nextInt(10) == 0) {
          value();
        } else {
          time(random.nextBoolean() ? CHRONOLOGY : TIME);
        }
      }
      out.raw(new byte[type == 6 ? 6 : 0]);
    } else {
      List<byte[]> some = times.get(name);
      byte[] data = some.get(random.nextInt(some.size())).clone();
      if (random.nextInt(6) == 0) {
        data[random.nextInt(data.length)] = (byte) number();
      }
      out.raw(data);
    }
    depth--;
  }

  /** An Externalizable whose data are what its class reads. */
  private void followed(Shape shape) {
    depth++;
    out.object();
    chain(shape);
    out.data();
    List<Step> steps = shape.sequence().orElseThrow().steps();
    long[] locals = new long[shape.sequence().orElseThrow().locals()];
    for (int at = 0; at >= 0 && out.length() < 2 * MAX_BYTES; ) {
      at = follow(steps.get(at), at, locals);
    }
    depth--;
  }

  private void chain(Shape shape) {
    Integer known = described.get(shape);
    if (known != null) {
      out.reference(known);
      return;
    }
    described.put(shape, out.handles());
    out.descriptor(shape);
    Shape parent = byName.get(shape.superclass());
    if (parent == null) {
      out.nothing();
    } else {
      chain(parent);
    }
  }

  /** Writes what a step reads; the number of the next one, negative behind the last. */
  private int follow(Step step, int at, long[] locals) {
    long left = step.left() < 0 ? step.constant() : locals[step.left()];
    long right = step.right() < 0 ? step.constant() : locals[step.right()];
    long result =
        switch (step.op()) {
          case READ_BOOLEAN -> read(1, random.nextInt(2));
          case READ_BYTE -> read(1, (byte) few());
          case READ_UNSIGNED_BYTE -> read(1, few() & 0xFF);
          case READ_SHORT -> read(2, (short) few());
          case READ_CHAR -> read(2, few() & 0xFFFF);
          case READ_INT -> read(4, few());
          case READ_LONG -> read(8, few());
          case READ_BYTES -> {
            byte[] bytes = new byte[(int) Math.max(0, Math.min(left, MAX_BYTES))];
            random.nextBytes(bytes);
            out.raw(bytes);
            yield 0;
          }
          case READ_TEXT -> {
            out.utf(random.nextInt(4) == 0 ? "magic" : "s" + random.nextInt(3));
            yield 0;
          }
          case READ_OBJECT -> {
            value();
            yield 0;
          }
          case COPY -> left;
          case ADD -> (int) (left + right);
          case SUBTRACT -> (int) (left - right);
          case AND -> left & right;
          case COMPARE -> Long.compare(left, right);
          case TO_INT -> (int) left;
          case JUMP, REFUSE, END -> 0;
          case JUMP_IF_EQUAL -> left == right ? 1 : 0;
          case JUMP_IF_NOT_EQUAL -> left != right ? 1 : 0;
          case JUMP_IF_LESS -> left < right ? 1 : 0;
          case JUMP_IF_AT_LEAST -> left >= right ? 1 : 0;
          case JUMP_IF_GREATER -> left > right ? 1 : 0;
          case JUMP_IF_AT_MOST -> left <= right ? 1 : 0;
        };
    if (step.op().isJump()) {
      return step.op() == ReadSequence.Op.JUMP || result == 1 ? step.target() : at + 1;
    }
    if (step.to() >= 0) {
      locals[step.to()] = result;
    }
    return step.op().goesOn() ? at + 1 : -1;
  }

  private int few() {
    return random.nextInt(30) == 0 ? number() : random.nextInt(4);
  }

  private long read(int bytes, long value) {
    for (int i = bytes - 1; i >= 0; i--) {
      out.raw((byte) (value >> (8 * i)));
    }
    return value;
  }

  /** As protocol 1 has it, whose data have no frames. */
  private void external(Shape shape) {
    Integer known = described.get(shape);
    if (known != null) {
      out.reference(known);
    } else {
      described.put(shape, out.handles());
      out.descriptor(shape).nothing();
    }
  }

  private void object(Shape shape) {
    if (shape.form() == Form.ENUM) {
      out.raw((byte) 0x7E);
      descriptor(shape);
      out.data().string(constant(shape.name()));
      return;
    }
    depth++;
    out.object();
    descriptor(shape);
    out.data();
    List<Shape> chain = new ArrayList<>();
    for (Shape one = shape; one != null; one = byName.get(one.superclass())) {
      chain.add(0, one);
    }
    chain.forEach(this::classData);
    depth--;
  }

  /** Mostly a stub. */
  private void proxy() {
    depth++;
    Shape proxy = byName.get("java.lang.reflect.Proxy");
    out.object();
    out.proxy(INTERFACES.get(random.nextInt(INTERFACES.size())));
    descriptor(proxy);
    out.data();
    if (random.nextInt(8) > 0) {
      object(byName.get(Stubs.HANDLER));
    } else {
      value();
    }
    depth--;
  }

  /** An object in a stream of its own. */
  private void marshalled() {
    HandWritten around = out;
    Map<Shape, Integer> describedAround = Map.copyOf(described);
    described.clear();
    out = HandWritten.bytes().hex("aced0005");
    depth++;
    value();
    depth--;
    byte[] nested = out.toByteArray();
    out = around;
    described.clear();
    described.putAll(describedAround);
    out.object();
    descriptor(byName.get("java.rmi.MarshalledObject"));
    out.data().int32(number()).nothing();
    bytes(nested);
  }

  private void bytes(byte[] elements) {
    out.array();
    out.descriptor("[B", -5984413125824719648L, 2, List.of()).nothing().data();
    out.int32(elements.length).raw(elements);
  }

  /** In place of an object's own data: what its reader takes. */
  private void reference() {
    if (random.nextInt(3) > 0) {
      out.block(Stubs.reference("inside.example", 1 + random.nextInt(65535)));
    } else {
      Stubs.referenceWithFactory(
          out,
          any -> {
            if (random.nextInt(3) == 0) {
              value();
            } else {
              out.nothing();
            }
          });
    }
    out.end();
  }

  private String constant(String name) {
    try {
      Object[] constants = Class.forName(name).getEnumConstants();
      return constants == null || constants.length == 0
          ? "NONE"
          : ((Enum<?>) constants[random.nextInt(constants.length)]).name();
    } catch (ClassNotFoundException | LinkageError e) {
      return "NONE";
    }
  }

  private void descriptor(Shape shape) {
    Integer known = described.get(shape);
    if (known != null) {
      out.reference(known);
      return;
    }
    described.put(shape, out.handles());
    int flags = shape.form() == Form.EXTERNAL ? FRAMED : HandWritten.flags(shape);
    if (random.nextInt(BARE_EVERY) == 0) {
      out.unannotated(shape.name(), shape.serialVersionUid(), flags, shape.fields()).end();
    } else {
      out.descriptor(shape.name(), shape.serialVersionUid(), flags, shape.fields());
    }
    Shape parent = byName.get(shape.superclass());
    if (parent == null) {
      out.nothing();
    } else {
      descriptor(parent);
    }
  }

  private void classData(Shape shape) {
    for (StreamClass.Field field : shape.fields()) {
      if (field.signature().length() == 1) {
        primitive(field.signature().charAt(0));
      } else {
        value(field.signature());
      }
    }
    if (shape.name().equals(Stubs.REMOTE_OBJECT) && random.nextInt(8) > 0) {
      reference();
    } else if (shape.form() == Form.FIELDS_AND_OWN_DATA || shape.form() == Form.EXTERNAL) {
      if (random.nextInt(3) == 0) {
        elements();
        out.end();
        return;
      }
      if (random.nextInt(8) > 0) {
        numbers();
      }
      for (int n = random.nextInt(5); n > 0; n--) {
        if (random.nextInt(4) == 0) {
          numbers();
        } else {
          value();
        }
      }
      out.end();
    }
  }

  /** As collections write them: how many there are, behind up to two numbers more; no keys. */
  private void elements() {
    int count = random.nextInt(4);
    HandWritten block = HandWritten.bytes();
    int[] before = random.nextBoolean() ? new int[] {16} : new int[] {16, 0x3F400000};
    for (int n = random.nextInt(before.length + 1), i = 0; i < n; i++) {
      block.int32(before[i]);
    }
    out.block(block.int32(count).toByteArray());
    for (int n = random.nextBoolean() ? count : 2 * count; n > 0; n--) {
      if (random.nextInt(3) == 0) {
        object(byName.get("java.lang.Integer"));
      } else {
        value();
      }
    }
    for (int n = random.nextInt(3); n > 0; n--) {
      out.nothing();
    }
  }

  private int number() {
    return random.nextInt(500) == 0 ? random.nextInt() : NUMBERS[random.nextInt(NUMBERS.length)];
  }

  private void primitive(char type) {
    switch (type) {
      case 'B' -> out.raw((byte) number());
      case 'Z' -> out.raw((byte) (number() & 1));
      case 'C', 'S' -> out.raw((byte) 0, (byte) number());
      case 'I' -> out.int32(number());
      case 'F' -> out.int32(random.nextBoolean() ? 0x3F400000 : number());
      case 'J' -> out.int64(number());
      default -> out.int64(random.nextBoolean() ? 0x3FE8000000000000L : number());
    }
  }

  private void numbers() {
    HandWritten block = HandWritten.bytes();
    for (int n = 1 + random.nextInt(3); n > 0; n--) {
      block.int32(random.nextInt(4) == 0 ? 0x3F400000 : number());
    }
    byte[] bytes = random.nextInt(12) == 0 ? new byte[0] : block.toByteArray();
    if (random.nextInt(6) == 0) {
      out.hex("7a").int32(bytes.length).raw(bytes);
    } else {
      out.block(bytes);
    }
  }
}

package io.rmigate.gateway.scan;

import io.rmigate.gateway.scan.shape.Shape;
import io.rmigate.gateway.scan.shape.Shape.Form;
import io.rmigate.gateway.scan.shape.Shapes;
import io.rmigate.protocol.jrmp.StreamClass;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Calls whose descriptors are all honest and whose data are not: any object in any field, any
 * blocks and objects as own data. What a receiver makes of such a stream depends on what its
 * classes do, which is what shapes are about; damage to single bytes hardly ever comes so far.
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

  private final Random random;
  private final List<Shape> shapes;
  private final List<Shape> ownReaders;
  private final Map<String, Shape> byName = new HashMap<>();

  private HandWritten out;
  private int depth;

  /** Handles of descriptors, by the shape. */
  private final Map<Shape, Integer> described = new HashMap<>();

  /** Of classes that the running JDK has, and of {@link OwnReaders}. */
  RandomStreams(Random random) {
    this.random = random;
    List<Shape> usable = new ArrayList<>();
    for (Shape shape : Shapes.ofJdk().all()) {
      if (isThere(shape.name())) {
        byName.putIfAbsent(shape.name(), shape);
        boolean dull = shape.name().endsWith("Exception") || shape.name().endsWith("Error");
        if (shape.form() != Form.EXTERNAL && (!dull || random.nextInt(10) == 0)) {
          usable.add(shape);
        }
      }
    }
    shapes = usable;
    ownReaders = CorpusShapes.of(OwnReaders.ALL);
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
      value();
    }
    return out.toByteArray();
  }

  private void value() {
    boolean full = depth >= MAX_DEPTH || out.length() > MAX_BYTES;
    switch (random.nextInt(full ? 4 : 16)) {
      case 0, 1 -> out.nothing();
      case 2 -> out.string("s" + random.nextInt(3));
      case 3 -> {
        if (out.handles() > 0) {
          out.reference(random.nextInt(out.handles()));
        } else {
          out.nothing();
        }
      }
      case 4 -> array();
      case 5 -> proxy();
      case 6 -> marshalled();
      case 7 -> object(ownReaders.get(random.nextInt(ownReaders.size())));
      default -> object(shapes.get(random.nextInt(shapes.size())));
    }
  }

  private void array() {
    depth++;
    if (random.nextBoolean()) {
      byte[] elements = new byte[random.nextInt(20)];
      random.nextBytes(elements);
      out.array().descriptor("[B", 1, 2, List.of()).nothing().data();
      out.int32(elements.length).raw(elements);
    } else {
      int length = random.nextInt(4);
      out.array().descriptor("[Ljava.lang.Object;", 1, 2, List.of()).nothing().data();
      out.int32(length);
      for (int i = 0; i < length; i++) {
        value();
      }
    }
    depth--;
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

  private static String constant(String name) {
    try {
      Object[] constants = Class.forName(name).getEnumConstants();
      return constants == null || constants.length == 0 ? "NONE" : ((Enum<?>) constants[0]).name();
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
    out.descriptor(shape.name(), shape.serialVersionUid(), flags, shape.fields());
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
        value();
      }
    }
    if (shape.name().equals(Stubs.REMOTE_OBJECT) && random.nextInt(8) > 0) {
      reference();
    } else if (shape.form() == Form.FIELDS_AND_OWN_DATA || shape.form() == Form.EXTERNAL) {
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
    out.block(block.toByteArray());
  }
}

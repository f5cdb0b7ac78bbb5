package io.rmigate.gateway.scan;

import io.rmigate.gateway.scan.Finding.Kind;
import io.rmigate.gateway.scan.KeyChains.Keys;
import io.rmigate.gateway.scan.SeenClass.Role;
import io.rmigate.gateway.scan.shape.Reading;
import io.rmigate.gateway.scan.shape.Shape;
import io.rmigate.protocol.jrmp.ReadSequence;
import io.rmigate.protocol.jrmp.StreamClass;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A class descriptor of a message, compared with the shapes of the class that it names. What is
 * said of an explained one is the same in all messages, so that {@link KnownClasses} keeps it.
 * Confined to the scanning thread, but for those.
 */
class ClassClaim {
  private static final int SC_SERIALIZABLE = 0x02;
  private static final String PROXY = "java.lang.reflect.Proxy";
  private static final String PRIMITIVES = "BCDFIJSZ";

  /** Classes of the JDK that say of themselves that they are {@code Comparable} with themselves. */
  private static final Set<String> ORDERED =
      Set.of(
          "java.io.File",
          "java.lang.Boolean",
          "java.lang.Byte",
          "java.lang.Double",
          "java.lang.Float",
          "java.math.BigDecimal",
          "java.math.BigInteger",
          "java.net.URI",
          "java.util.Date",
          "java.util.UUID",
          "javax.management.ObjectName");

  /** Classes of the JDK, in packages of others, that are hashed with what they hold. */
  private static final Set<String> HASHED_WITH_CONTENT =
      Set.of("javax.security.auth.Subject", "javax.swing.tree.TreePath");

  /** Classes whose hash codes are known. */
  private static final Map<String, Keys> KEYS =
      Map.of(
          "java.lang.Integer", Keys.INT,
          "java.lang.Long", Keys.LONG,
          "java.lang.Short", Keys.SHORT,
          "java.lang.Character", Keys.SHORT);

  /** Interfaces of a proxy that are told with its references; each takes two bytes at least. */
  private static final int MAX_INTERFACES = 16;

  /** There are more than are told: the scan has found that out already. */
  private static final ClassClaim ONE_TOO_MANY =
      new ClassClaim("one of too many classes", SerialDataLayout.NONE, false, null);

  private final String name;
  private final SerialDataLayout own;
  private final boolean explained;
  private final boolean array;
  private final boolean noObject;
  private final boolean watched;
  private final Keys keys;

  /** Null unless it is a proxy's. */
  private final Interfaces interfaces;

  /** Interfaces of a proxy, decoded once for all objects of its class. */
  private static final class Interfaces {
    private final StreamClass proxy;
    private List<String> first;

    Interfaces(StreamClass proxy) {
      this.proxy = proxy;
    }

    List<String> first() {
      if (first == null) {
        first = List.copyOf(proxy.interfaces(MAX_INTERFACES));
      }
      return first;
    }
  }

  private ClassClaim(String name, SerialDataLayout own, boolean explained, StreamClass proxy) {
    this(name, own, explained, proxy, Keys.UNKNOWN);
  }

  /**
   * @param proxy the descriptor of a proxy; else null
   */
  private ClassClaim(
      String name, SerialDataLayout own, boolean explained, StreamClass proxy, Keys keys) {
    this.name = name;
    this.own = own;
    this.explained = explained;
    this.array = name.startsWith("[");
    this.watched = own.isWatched();
    this.noObject = array || own.hasOwnToken() || own.isBareReference();
    this.interfaces = proxy == null ? null : new Interfaces(proxy);
    this.keys = keys;
  }

  /** A claim that equals a known shape; one instance serves all messages. */
  private static final class Explained extends ClassClaim {
    private final ReadSequence sequence;

    Explained(String name, Shape shape) {
      super(name, SerialDataLayout.of(name), true, null, ClassClaim.keys(shape));
      sequence = shape.sequence().orElse(null);
    }

    @Override
    ReadSequence sequence() {
      return sequence;
    }
  }

  /** The claim of a descriptor exactly as its class writes it. */
  static ClassClaim explained(Shape shape) {
    String name = shape.name();
    return new Explained(name, shape);
  }

  private static Keys keys(Shape shape) {
    Keys known = KEYS.get(shape.name());
    if (known != null) {
      return known;
    }
    if (shape.form() == Shape.Form.ENUM) {
      return Keys.IDENTITY;
    }
    return shape.isOrdered() || ORDERED.contains(shape.name()) ? Keys.ORDERED : Keys.UNKNOWN;
  }

  /** Compares, and tells {@code notes} of the class and of what is wrong. */
  static ClassClaim of(StreamClass descriptor, KnownClasses classes, ScanNotes notes, int at) {
    if (descriptor.isProxy()) {
      return proxy(descriptor, notes, at);
    }
    List<Shape> known = classes.shapes(descriptor);
    if (known.isEmpty()) {
      return withoutShape(descriptor, notes, at);
    }
    for (Shape shape : known) {
      if (shape.matches(descriptor)) {
        proven(shape, notes, at);
        KnownClasses.Known explained = classes.known(shape);
        notes.add(explained.seen(), at);
        return explained.claim();
      }
    }
    String name = known.get(0).name();
    if (descriptor.flags() == 0) {
      return classObject(descriptor, name, notes, at);
    }
    notes.find(Kind.SHAPE_MISMATCH, name, at);
    notes.add(new SeenClass(name, Role.DESCRIPTOR, false), at);
    return new ClassClaim(name, SerialDataLayout.of(name), false, null);
  }

  /**
   * Calendar's own data are looked at one by one instead: see {@link SerialDataLayout#CALENDAR}.
   */
  private static void proven(Shape shape, ScanNotes notes, int at) {
    if (shape.reading() == Reading.UNPROVEN
        && SerialDataLayout.of(shape.name()) != SerialDataLayout.CALENDAR) {
      notes.find(Kind.UNPROVEN_CLASS, shape.name(), at);
    } else if (shape.reading() == Reading.REFUSED) {
      notes.find(Kind.IMPOSSIBLE_OBJECT, shape.name(), at);
    }
  }

  private static ClassClaim proxy(StreamClass descriptor, ScanNotes notes, int at) {
    notes.addInterfaces(descriptor, at);
    boolean plain = descriptor.superclass().filter(parent -> parent.isNamed(PROXY)).isPresent();
    if (!plain) {
      notes.find(Kind.SHAPE_MISMATCH, "a proxy that is none", at);
    }
    return new ClassClaim("", SerialDataLayout.NONE, plain, descriptor);
  }

  private static ClassClaim withoutShape(StreamClass descriptor, ScanNotes notes, int at) {
    if (!notes.mayRead(at)) {
      return ONE_TOO_MANY;
    }
    String name = descriptor.name();
    if (name.startsWith("[")) {
      return array(descriptor, name, notes, at);
    }
    if (descriptor.flags() == 0) {
      return classObject(descriptor, name, notes, at);
    }
    notes.find(Kind.UNEXPLAINED_CLASS, name, at);
    notes.add(new SeenClass(name, Role.DESCRIPTOR, false), at);
    return new ClassClaim(name, SerialDataLayout.NONE, false, null);
  }

  /** Any serialVersionUID: receivers do not compare those of arrays. */
  private static ClassClaim array(StreamClass descriptor, String name, ScanNotes notes, int at) {
    boolean plain =
        descriptor.flags() == SC_SERIALIZABLE
            && descriptor.declares(List.of())
            && descriptor.superclass().isEmpty();
    if (!plain) {
      notes.find(Kind.SHAPE_MISMATCH, name, at);
    }
    int dimensions = 1;
    while (dimensions < name.length() && name.charAt(dimensions) == '[') {
      dimensions++;
    }
    String element = name.substring(dimensions);
    boolean ofClass = element.length() > 2 && element.startsWith("L") && element.endsWith(";");
    if (ofClass && element.indexOf('[') < 0) {
      String its = element.substring(1, element.length() - 1);
      notes.add(new SeenClass(its, Role.ARRAY_ELEMENT, true), at);
    } else if (element.length() != 1 || PRIMITIVES.indexOf(element.charAt(0)) < 0) {
      notes.find(Kind.ODD_CLASS_NAME, name, at);
    }
    return new ClassClaim(name, SerialDataLayout.NONE, plain, null, Keys.IDENTITY);
  }

  /** The claim of a class that is not serializable: only its name is sent, and no object has it. */
  private static ClassClaim classObject(
      StreamClass descriptor, String name, ScanNotes notes, int at) {
    boolean plain =
        descriptor.serialVersionUid() == 0
            && descriptor.declares(List.of())
            && descriptor.superclass().isEmpty();
    if (!plain) {
      notes.find(Kind.SHAPE_MISMATCH, name, at);
    }
    notes.add(new SeenClass(name, Role.CLASS_OBJECT, plain), at);
    return new ClassClaim(name, SerialDataLayout.NONE, plain, null);
  }

  /** As in {@link Class#getName}; empty for a dynamic proxy. */
  String name() {
    return name;
  }

  /** The layout of the data of this class. */
  SerialDataLayout own() {
    return own;
  }

  /**
   * Whether it is a class of the JDK that is hashed with what it holds, an array, or a proxy, whose
   * handler may pass on what it is asked.
   */
  boolean isContainer() {
    return array
        || name.isEmpty()
        || HASHED_WITH_CONTENT.contains(name)
        || name.startsWith("java.util.")
        || name.startsWith("javax.management.")
        || name.startsWith("javax.naming.");
  }

  /** See {@link SerialDataLayout#isWatched}. */
  boolean isWatched() {
    return watched;
  }

  /** Whether it is one of the class's shapes, or needs none. */
  boolean explained() {
    return explained;
  }

  /** Its name, or words for what has none. */
  String label() {
    return name.isEmpty() ? "a proxy" : name;
  }

  boolean isArray() {
    return array;
  }

  /** The kind of its objects as keys. */
  Keys keys() {
    return keys;
  }

  /** Whether its objects have an order among themselves, by their class's own word. */
  boolean isOrdered() {
    return keys == Keys.ORDERED || keys.isComputed();
  }

  /** The reads of its objects from unframed data; null if unknown. */
  ReadSequence sequence() {
    return null;
  }

  /** Whether no honest sender writes an object of it as such. */
  boolean isNoObject() {
    return noObject;
  }

  /** The first of a proxy's interfaces, in order; empty for anything else. */
  List<String> interfaces() {
    return interfaces == null ? List.of() : interfaces.first();
  }
}

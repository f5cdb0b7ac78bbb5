package io.rmigate.gateway.scan;

import io.rmigate.gateway.scan.Finding.Kind;
import io.rmigate.gateway.scan.SeenClass.Role;
import io.rmigate.gateway.scan.shape.Reading;
import io.rmigate.gateway.scan.shape.Shape;
import io.rmigate.gateway.scan.shape.Shapes;
import io.rmigate.protocol.jrmp.StreamClass;
import java.util.List;

/**
 * A class descriptor of a message, compared with the shapes of the class that it names.
 *
 * @param descriptor as it stands in the stream
 * @param name as in {@link Class#getName}; empty for a dynamic proxy
 * @param own what else is known about the data of this class
 * @param explained whether it is one of the class's shapes, or needs none
 */
record ClassClaim(StreamClass descriptor, String name, OwnData own, boolean explained) {
  private static final int SC_SERIALIZABLE = 0x02;
  private static final String PROXY = "java.lang.reflect.Proxy";
  private static final String PRIMITIVES = "BCDFIJSZ";

  /** Compares, and tells {@code notes} of the class and of what is wrong. */
  static ClassClaim of(StreamClass descriptor, Shapes shapes, ScanNotes notes, int at) {
    if (descriptor.isProxy()) {
      return proxy(descriptor, notes, at);
    }
    List<Shape> known = shapes.of(descriptor);
    if (known.isEmpty()) {
      return withoutShape(descriptor, notes, at);
    }
    String name = known.get(0).name();
    if (descriptor.flags() == 0) {
      return classObject(descriptor, name, notes, at);
    }
    boolean explained = false;
    for (Shape shape : known) {
      if (shape.matches(descriptor)) {
        explained = true;
        proven(shape, notes, at);
        break;
      }
    }
    if (!explained) {
      notes.find(Kind.SHAPE_MISMATCH, name, at);
    }
    notes.add(new SeenClass(name, Role.DESCRIPTOR, explained), at);
    return new ClassClaim(descriptor, name, OwnData.of(name), explained);
  }

  /** Calendar's own data are looked at one by one instead: see {@link OwnData#CALENDAR}. */
  private static void proven(Shape shape, ScanNotes notes, int at) {
    if (shape.reading() == Reading.UNPROVEN && OwnData.of(shape.name()) != OwnData.CALENDAR) {
      notes.find(Kind.UNPROVEN_CLASS, shape.name(), at);
    } else if (shape.reading() == Reading.REFUSED) {
      notes.find(Kind.IMPOSSIBLE_OBJECT, shape.name(), at);
    }
  }

  private static ClassClaim proxy(StreamClass descriptor, ScanNotes notes, int at) {
    for (String name : notes.hasRoomForClasses(at) ? descriptor.interfaces() : List.<String>of()) {
      notes.add(new SeenClass(name, Role.PROXY_INTERFACE, true), at);
    }
    boolean plain = descriptor.superclass().filter(parent -> parent.isNamed(PROXY)).isPresent();
    if (!plain) {
      notes.find(Kind.SHAPE_MISMATCH, "a proxy that is none", at);
    }
    return new ClassClaim(descriptor, "", OwnData.NONE, plain);
  }

  private static ClassClaim withoutShape(StreamClass descriptor, ScanNotes notes, int at) {
    String name = descriptor.name();
    if (name.startsWith("[")) {
      return array(descriptor, name, notes, at);
    }
    if (descriptor.flags() == 0) {
      return classObject(descriptor, name, notes, at);
    }
    notes.find(Kind.UNEXPLAINED_CLASS, name, at);
    notes.add(new SeenClass(name, Role.DESCRIPTOR, false), at);
    return new ClassClaim(descriptor, name, OwnData.NONE, false);
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
    return new ClassClaim(descriptor, name, OwnData.NONE, plain);
  }

  /**
   * Of a class that is not serializable only the name travels; the parser lets no object be one.
   */
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
    return new ClassClaim(descriptor, name, OwnData.NONE, plain);
  }

  /** Its name, or words for what has none. */
  String label() {
    return name.isEmpty() ? "a proxy" : name;
  }

  boolean isArray() {
    return name.startsWith("[");
  }
}

package io.rmigate.gateway.scan;

import io.rmigate.gateway.scan.SeenClass.Role;
import io.rmigate.gateway.scan.shape.Shape;
import io.rmigate.gateway.scan.shape.Shapes;
import io.rmigate.protocol.jrmp.StreamClass;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Predicate;

/**
 * Shapes, and what is to be said of a class with each, made once: most descriptors of most messages
 * then cost no more than being compared. Immutable; any thread.
 */
final class KnownClasses {

  /** A class whose descriptor has one of its shapes. */
  record Known(ClassClaim claim, SeenClass seen) {}

  private final Shapes shapes;
  private final Predicate<String> asks;
  private final IdentityHashMap<Shape, Known> known = new IdentityHashMap<>();

  /**
   * @param asks see {@link StreamScanner}
   */
  KnownClasses(Shapes shapes, Predicate<String> asks) {
    this.shapes = shapes;
    this.asks = asks;
    for (Shape shape : shapes.all()) {
      ClassClaim claim = ClassClaim.explained(shape);
      claim.interfaces(); // so that nothing is ever written to it
      known.put(shape, new Known(claim, new SeenClass(shape.name(), Role.DESCRIPTOR, true)));
    }
  }

  /** The shapes of the class that a descriptor names; empty if there are none. */
  List<Shape> shapes(StreamClass descriptor) {
    return shapes.of(descriptor);
  }

  /** Whether an object of that class that is hashed or compared may ask others that it holds. */
  boolean ask(ClassClaim type) {
    return type.isContainer() || asks.test(type.name());
  }

  /** The known facts about a class of this shape. */
  Known known(Shape shape) {
    return known.get(shape);
  }
}

package io.rmigate.gateway.scan;

/**
 * A class that a message names. The same class is told once for each role it has.
 *
 * @param name as in {@link Class#getName}; never that of an array
 * @param role in which the receiver asks for it
 * @param explained whether the descriptor is one that a known version of this class writes; always
 *     true where a name is all there is
 */
public record SeenClass(String name, Role role, boolean explained) {

  /** Roles in which a message names a class. */
  public enum Role {
    /** A descriptor of its own: of an object, of a superclass, of an enum constant. */
    DESCRIPTOR,

    /** The element type of an array; its elements have descriptors of their own. */
    ARRAY_ELEMENT,

    /** An interface of a dynamic proxy. */
    PROXY_INTERFACE,

    /** A {@link Class} object of a class whose objects are not serializable. */
    CLASS_OBJECT
  }
}

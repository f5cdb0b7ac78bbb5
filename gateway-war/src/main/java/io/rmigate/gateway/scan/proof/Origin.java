package io.rmigate.gateway.scan.proof;

import org.objectweb.asm.tree.analysis.Value;

/**
 * Where a value on the stack of a method comes from.
 *
 * @param size in words
 * @param kind of place
 * @param name the number of the argument or the instruction, or the constant; else empty
 */
record Origin(int size, Kind kind, String name) implements Value {
  enum Kind {
    /** The object whose method runs. */
    THIS,
    /** An argument of the method, by its number. */
    ARGUMENT,
    /** A number, or an object that never changes and holds no others. */
    VALUE,
    /** A constant of an enum, or an object that holds numbers or texts, but may change. */
    LEAF,
    /** A field of the object whose method runs. */
    FIELD,
    /** A number or a text of the code itself. */
    CONSTANT,
    /** An object that the method has read from the stream, by the number of the instruction. */
    READ,
    /** An array that the method has made, by the number of the instruction. */
    NEW_ARRAY,
    /** An object that the method has made, by the number of the instruction. */
    NEW_OBJECT,
    OTHER
  }

  static final Origin NUMBER = new Origin(1, Kind.VALUE, "");
  static final Origin LONG_NUMBER = new Origin(2, Kind.VALUE, "");
  static final Origin OTHER = new Origin(1, Kind.OTHER, "");

  static Origin of(Kind kind, String name) {
    return new Origin(1, kind, name);
  }

  boolean is(Kind other) {
    return kind == other;
  }

  /** Whether it is a value. */
  boolean isValue() {
    return kind == Kind.VALUE || kind == Kind.CONSTANT;
  }

  /** Whether hashing and comparing it takes no longer than it is long itself. */
  boolean holdsNoOthers() {
    return isValue() || kind == Kind.LEAF;
  }

  /** The origin of a value that is one of two. */
  Origin or(Origin other) {
    if (equals(other)) {
      return this;
    }
    if (size != other.size) {
      return OTHER;
    }
    if (isValue() && other.isValue()) {
      return new Origin(size, Kind.VALUE, "");
    }
    return holdsNoOthers() && other.holdsNoOthers()
        ? Origin.of(Kind.LEAF, "")
        : new Origin(size, Kind.OTHER, "");
  }

  @Override
  public int getSize() {
    return size;
  }
}

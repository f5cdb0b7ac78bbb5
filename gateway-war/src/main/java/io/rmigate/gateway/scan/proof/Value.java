package io.rmigate.gateway.scan.proof;

import java.util.Objects;
import org.objectweb.asm.Type;

/**
 * A value in a method.
 *
 * @param type null if it is none that can be used
 * @param mask its taint; see {@link Facts}
 * @param element whether it is a part of something that is gone through
 * @param constant whether it stands in the code
 * @param exact whether it has just that type, and no subclass
 * @param origin which instruction has made it, before the first for arguments; {@link #MIXED} where
 *     that depends
 * @param local the local variable that it has last been loaded from; -1 for none
 * @param measured of a number: what it is the length or the size of; empty if of nothing
 */
record Value(
    Type type,
    long mask,
    boolean element,
    boolean constant,
    boolean exact,
    int origin,
    int local,
    String measured)
    implements org.objectweb.asm.tree.analysis.Value {
  /** More than one instruction. */
  static final int MIXED = -2;

  /** An array without elements, in the place of what is measured. */
  static final String EMPTY = "empty";

  /** What is measured cannot be told. */
  static final String SOMETHING = "?";

  static final Value NOTHING = new Value(null, 0, false, false, false, MIXED, -1, "");

  static Value of(Type type, long mask, int origin) {
    return new Value(type, mask, false, false, false, origin, -1, "");
  }

  @Override
  public int getSize() {
    return type != null && type.getSize() == 2 ? 2 : 1;
  }

  boolean isReference() {
    return type != null && (type.getSort() == Type.OBJECT || type.getSort() == Type.ARRAY);
  }

  Value withMask(long other) {
    return new Value(type, other, element, constant, exact, origin, local, measured);
  }

  Value withType(Type other) {
    return new Value(other, mask, element, constant, exact, origin, local, measured);
  }

  Value withLocal(int other) {
    return new Value(type, mask, element, constant, exact, origin, other, measured);
  }

  Value asElement(boolean is) {
    return new Value(type, mask, is, constant, exact, origin, local, measured);
  }

  Value asConstant() {
    return new Value(type, mask, element, true, exact, origin, local, measured);
  }

  Value asExact(boolean is) {
    return new Value(type, mask, element, constant, is, origin, local, measured);
  }

  Value measuring(String other) {
    return new Value(type, mask, element, constant, exact, origin, local, other);
  }

  /** A name for what it is: its variable, if it has one. */
  String place() {
    return local >= 0 ? "local " + local : SOMETHING;
  }

  /** Where two ways meet. */
  Value merge(Value other) {
    if (equals(other)) {
      return this;
    }
    if (type == null || other.type == null || getSize() != other.getSize()) {
      return NOTHING;
    }
    boolean one = isReference();
    if (one != other.isReference()) {
      return NOTHING;
    }
    return new Value(
        Objects.equals(type, other.type) ? type : one ? Type.getObjectType(Types.OBJECT) : type,
        mask | other.mask,
        element && other.element,
        constant && other.constant,
        exact && other.exact && Objects.equals(type, other.type),
        origin == other.origin ? origin : MIXED,
        local == other.local ? local : -1,
        measured.equals(other.measured)
            ? measured
            : measured.isEmpty() || other.measured.isEmpty() ? "" : SOMETHING);
  }
}

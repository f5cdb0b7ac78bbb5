package io.rmigate.gateway.scan.proof;

import io.rmigate.gateway.scan.proof.HarmlessCode.Moment;
import io.rmigate.gateway.scan.proof.Origin.Kind;
import java.util.HashSet;
import java.util.Set;

/**
 * What one method does with values: each reference that it is given, reads or makes it may put into
 * one place; and which values it may ask for hash codes, comparisons and texts. Confined to one
 * thread.
 */
final class ValueUses {
  private final Moment moment;
  private final Set<Origin> kept = new HashSet<>();

  ValueUses(Moment moment) {
    this.moment = moment;
  }

  /** A reference is put into a place, its only one. */
  void keepOnce(Origin value) {
    if (!kept.add(value)) {
      throw new HarmException("keeps the same object in two places");
    }
  }

  /** A reference is put into a field of the object that is being read, or into a new array. */
  void keep(Origin value, boolean inConstructor) {
    if (moment != Moment.READING) {
      throw new HarmException("changes an object that has been read");
    }
    switch (value.kind()) {
      case VALUE, CONSTANT, LEAF -> {}
      case READ, NEW_OBJECT, NEW_ARRAY -> keepOnce(value);
      case ARGUMENT -> {
        if (!inConstructor) {
          throw new HarmException("keeps what it is given");
        }
        keepOnce(value);
      }
      default -> throw new HarmException("keeps something that stands elsewhere, too");
    }
  }

  /**
   * An object is asked for its hash code, or is an element of an array that will be: only what
   * holds no others, because of references in a circle the scanner does not know how often they are
   * followed.
   */
  void hash(Origin value) {
    boolean harmless = value.holdsNoOthers() || value.is(Kind.NEW_ARRAY);
    if (moment == Moment.READING || !harmless) {
      throw new HarmException("asks an object for its hash code");
    }
  }

  /** Two objects are compared. */
  void compare(Origin one, Origin other) {
    boolean constant = one.is(Kind.CONSTANT) || other.is(Kind.CONSTANT);
    boolean harmless =
        one.holdsNoOthers()
            && other.holdsNoOthers()
            && (moment != Moment.READING || (constant && one.isValue() && other.isValue()));
    if (!harmless) {
      throw new HarmException("compares objects");
    }
  }

  /**
   * An object is asked for its text. No reader of the JDK wants one, so that it does not matter how
   * long that takes.
   */
  void print(Origin value) {
    boolean harmless =
        moment == Moment.PRINTING
            ? !value.is(Kind.THIS)
            : value.isValue() && moment != Moment.READING;
    if (!harmless) {
      throw new HarmException("asks an object for its text");
    }
  }

  /** The references that have a place. */
  Set<Origin> kept() {
    return Set.copyOf(kept);
  }
}

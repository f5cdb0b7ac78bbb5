package io.rmigate.gateway.scan.proof;

import io.rmigate.gateway.scan.proof.HarmlessCode.Moment;
import io.rmigate.gateway.scan.proof.Origin.Kind;
import java.util.HashMap;
import java.util.Map;

/**
 * What one method does with values: into how many places it puts what it is given, reads and makes,
 * once at most; and what it asks for hash codes, comparisons and texts. Confined to one thread.
 */
final class Uses {
  private final Moment moment;
  private final Map<Origin, Integer> counted = new HashMap<>();

  Uses(Moment moment) {
    this.moment = moment;
  }

  /** A reference is put into one more place. */
  void count(Origin value) {
    if (counted.merge(value, 1, Integer::sum) > 1) {
      throw new Harm("keeps the same object in two places");
    }
  }

  /** A reference is put into a field of the object that is being read, or into a new array. */
  void keep(Origin value, boolean inConstructor) {
    if (moment != Moment.READING) {
      throw new Harm("changes an object that has been read");
    }
    switch (value.kind()) {
      case VALUE, CONSTANT, LEAF -> {}
      case READ, NEW_OBJECT, NEW_ARRAY -> count(value);
      case ARGUMENT -> {
        if (!inConstructor) {
          throw new Harm("keeps what it is given");
        }
        count(value);
      }
      default -> throw new Harm("keeps something that stands elsewhere, too");
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
      throw new Harm("asks an object for its hash code");
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
      throw new Harm("compares objects");
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
      throw new Harm("asks an object for its text");
    }
  }

  /** In how many places each is kept. */
  Map<Origin, Integer> all() {
    return Map.copyOf(counted);
  }
}

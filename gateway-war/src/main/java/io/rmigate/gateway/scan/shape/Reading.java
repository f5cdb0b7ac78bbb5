package io.rmigate.gateway.scan.shape;

/**
 * Whether a class takes from a stream what its descriptor says that it takes. A parser without
 * classes steps over the declared fields and, with SC_WRITE_METHOD, over blocks and objects up to
 * TC_ENDBLOCKDATA. A class with a {@code readObject} of its own need not.
 */
public enum Reading {
  /** The declared fields before all else, on every path: as a parser without classes does. */
  AS_DECLARED,

  /** Its {@code readObject} never returns: a receiver refuses the stream there. */
  REFUSED,

  /**
   * Its byte code does not show that the fields come first and that no read follows a failure in
   * the middle of an object: the parser may then be somewhere else than the receiver.
   */
  UNPROVEN;

  /** The reading of a class whose releases differ. */
  Reading and(Reading other) {
    return compareTo(other) >= 0 ? this : other;
  }
}

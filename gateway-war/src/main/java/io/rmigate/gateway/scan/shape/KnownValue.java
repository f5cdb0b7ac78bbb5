package io.rmigate.gateway.scan.shape;

import org.objectweb.asm.tree.analysis.Value;

/**
 * Known facts about a value while a {@code readExternal} runs.
 *
 * @param kind what it is
 * @param size in words of a frame
 * @param length of an array: the register that holds its length; else −1
 */
record KnownValue(Kind kind, int size, int length) implements Value {
  /** Kinds of values. */
  enum Kind {
    /** Anything else. */
    OTHER,

    /** An integer that follows from what was read as a primitive, and from constants. */
    NUMBER,

    /** The stream that the object is read from. */
    STREAM,

    /** The object that is read. */
    OBJECT,

    /** An array of which the length is such an integer. */
    ARRAY,

    /** Perhaps the stream. */
    DOUBTFUL
  }

  static final KnownValue OTHER = new KnownValue(Kind.OTHER, 1, -1);
  static final KnownValue OTHER_LONG = new KnownValue(Kind.OTHER, 2, -1);
  static final KnownValue NUMBER = new KnownValue(Kind.NUMBER, 1, -1);
  static final KnownValue NUMBER_LONG = new KnownValue(Kind.NUMBER, 2, -1);
  static final KnownValue STREAM = new KnownValue(Kind.STREAM, 1, -1);
  static final KnownValue OBJECT = new KnownValue(Kind.OBJECT, 1, -1);
  static final KnownValue DOUBTFUL = new KnownValue(Kind.DOUBTFUL, 1, -1);

  static KnownValue array(int length) {
    return new KnownValue(Kind.ARRAY, 1, length);
  }

  static KnownValue other(int size) {
    return size == 2 ? OTHER_LONG : OTHER;
  }

  static KnownValue number(int size) {
    return size == 2 ? NUMBER_LONG : NUMBER;
  }

  boolean isNumber() {
    return kind == Kind.NUMBER;
  }

  boolean isStream() {
    return kind == Kind.STREAM;
  }

  @Override
  public int getSize() {
    return size;
  }

  /** The common knowledge where two paths meet. */
  KnownValue merge(KnownValue that) {
    if (equals(that)) {
      return this;
    }
    boolean stream = isStream() || that.isStream();
    boolean doubtful = kind == Kind.DOUBTFUL || that.kind == Kind.DOUBTFUL;
    return stream || doubtful ? DOUBTFUL : other(Math.min(size, that.size));
  }
}

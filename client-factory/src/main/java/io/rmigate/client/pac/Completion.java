package io.rmigate.client.pac;

/**
 * How a statement has ended.
 *
 * @param value what is returned
 */
record Completion(Kind kind, Object value) {
  static final Completion NORMAL = new Completion(Kind.NORMAL, EmptyValue.UNDEFINED);
  static final Completion BREAK = new Completion(Kind.BREAK, EmptyValue.UNDEFINED);
  static final Completion CONTINUE = new Completion(Kind.CONTINUE, EmptyValue.UNDEFINED);

  /** Where it goes on. */
  enum Kind {
    NORMAL,
    BREAK,
    CONTINUE,
    RETURN
  }

  static Completion returning(Object value) {
    return new Completion(Kind.RETURN, value);
  }

  boolean is(Kind other) {
    return kind == other;
  }
}

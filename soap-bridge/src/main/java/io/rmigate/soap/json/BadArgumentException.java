package io.rmigate.soap.json;

/** A value from a client does not fit the operation. Nothing was called. */
final class BadArgumentException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String pointer;

  /**
   * @param pointer a JSON Pointer (RFC 6901) to the value in the request
   * @param detail a clause of which the value is the subject
   */
  BadArgumentException(String pointer, String detail) {
    super(detail);
    this.pointer = pointer;
  }

  String pointer() {
    return pointer;
  }
}

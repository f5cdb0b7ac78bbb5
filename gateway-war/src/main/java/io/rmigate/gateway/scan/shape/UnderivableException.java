package io.rmigate.gateway.scan.shape;

/** The byte code of a {@code readExternal} does not show what it reads; the message says why. */
final class UnderivableException extends Exception {
  private static final long serialVersionUID = 1L;

  UnderivableException(String reason) {
    super(reason, null, false, false);
  }
}

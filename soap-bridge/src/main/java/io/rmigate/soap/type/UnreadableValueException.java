package io.rmigate.soap.type;

/** A value cannot be shown: an accessor of it failed, or it is not what its declaration says. */
public final class UnreadableValueException extends Exception {
  private static final long serialVersionUID = 1L;

  /** For the gateway's log. */
  public UnreadableValueException(String message, Throwable cause) {
    super(message, cause);
  }

  /** For the gateway's log. */
  public UnreadableValueException(String message) {
    super(message);
  }
}

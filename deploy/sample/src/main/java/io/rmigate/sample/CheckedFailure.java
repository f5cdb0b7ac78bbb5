package io.rmigate.sample;

/** An application's own checked exception, with a field of its own. */
public class CheckedFailure extends Exception {
  private static final long serialVersionUID = 1L;

  private final int code;

  /** A failure with a number and a reason. */
  public CheckedFailure(String message, int code, Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  /** The code that the thrower gave to this failure. */
  public int code() {
    return code;
  }
}

package io.rmigate.client.socket;

import java.io.IOException;

/**
 * A call was sent and its result will not come. Found inside of {@code
 * java.rmi.UnmarshalException}, or of {@code java.rmi.MarshalException} while the arguments were
 * being sent.
 *
 * <p>It is no {@link java.net.SocketException} and has no cause that is one, because programs take
 * those for a failed connect and repeat the call, as Spring does with {@code
 * refreshStubOnConnectFailure}.
 */
public final class LostCallException extends IOException {
  private static final long serialVersionUID = 1L;

  private final boolean wasExecuted;

  /**
   * In the gateway's own words, which say whether the call was executed.
   *
   * @param wasExecuted whether that is certain
   */
  static LostCallException told(String text, boolean wasExecuted) {
    return new LostCallException(wasExecuted, text);
  }

  /**
   * @param reason what happened to the connection
   * @param wasExecuted whether part of the Return has come; else the call may have been executed
   */
  LostCallException(String reason, boolean wasExecuted) {
    this(
        wasExecuted,
        reason
            + (wasExecuted
                ? "; the call was executed, and the rest of its result is lost"
                : "; the call may have been executed"));
  }

  private LostCallException(boolean wasExecuted, String message) {
    super(message);
    this.wasExecuted = wasExecuted;
  }

  /** Whether the server has certainly executed the call; false where that is not known. */
  public boolean wasExecuted() {
    return wasExecuted;
  }
}

package io.rmigate.client.link;

import java.io.IOException;
import java.net.SocketException;

/**
 * The link that carried a stream is gone. The message says whether a call that was on its way may
 * have been executed.
 */
public final class LinkLostException extends SocketException {
  private static final long serialVersionUID = 1L;

  /** The link was lost, for this reason. */
  public LinkLostException(String message, Throwable cause) {
    super(message);
    initCause(cause);
  }

  /** A call was under way, and what has become of it is not known. */
  static LinkLostException inCall(IOException failure) {
    LinkLostException lost = again(failure);
    return new LinkLostException(
        lost.getMessage() + "; the call may have been executed", lost.getCause());
  }

  /** The same failure for another thread: an exception's stack belongs to one. */
  static LinkLostException again(IOException failure) {
    return failure instanceof LinkLostException lost
        ? new LinkLostException(lost.getMessage(), lost.getCause())
        : new LinkLostException("link lost: " + failure.getMessage(), failure);
  }
}

package io.rmigate.client.link;

import java.io.IOException;
import java.net.SocketException;

/** The link that carried a stream is gone, and was not resumed. */
public final class LinkLostException extends SocketException {
  private static final long serialVersionUID = 1L;

  /** The link was lost, for this reason. */
  public LinkLostException(String message, Throwable cause) {
    super(message);
    initCause(cause);
  }

  /** A copy of a failure for another thread: an exception's stack belongs to one. */
  static LinkLostException again(IOException failure) {
    return failure instanceof LinkLostException lost
        ? new LinkLostException(lost.getMessage(), lost.getCause())
        : new LinkLostException("link lost: " + failure.getMessage(), failure);
  }
}

package io.rmigate.soap.http;

import java.io.IOException;

/** A request has more bytes than it may. */
public final class BodyTooLargeException extends IOException {
  private static final long serialVersionUID = 1L;

  public BodyTooLargeException(long bytes) {
    this("the body has more than " + bytes + " bytes");
  }

  /**
   * @param message for its sender; a clause
   */
  public BodyTooLargeException(String message) {
    super(message);
  }
}

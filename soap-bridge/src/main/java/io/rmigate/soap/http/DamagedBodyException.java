package io.rmigate.soap.http;

import java.io.IOException;

/** A body is not in the content coding that its head says. */
public final class DamagedBodyException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message for its sender; a clause of which the request is the subject
   */
  public DamagedBodyException(String message) {
    super(message);
  }
}

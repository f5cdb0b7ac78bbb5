package io.rmigate.soap.http;

import java.io.IOException;

/** A body is not in the content coding that its head says. */
public final class BodyDamaged extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message for its sender; a clause of which the request is the subject
   */
  public BodyDamaged(String message) {
    super(message);
  }
}

package io.rmigate.client.link;

import java.io.IOException;

/** A gateway that does not know the session any more, or does not want it. */
final class NotResumedException extends IOException {
  private static final long serialVersionUID = 1L;

  NotResumedException(String message) {
    super(message);
  }
}

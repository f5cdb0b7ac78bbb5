package io.rmigate.soap.publish;

/** An entry cannot be published at all. The message is for the operator. */
public final class NotPublished extends Exception {
  private static final long serialVersionUID = 1L;

  NotPublished(String message) {
    super(message);
  }

  NotPublished(String message, Throwable cause) {
    super(message, cause);
  }
}

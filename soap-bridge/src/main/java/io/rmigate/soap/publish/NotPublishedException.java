package io.rmigate.soap.publish;

/** An entry cannot be published at all. The message is for the operator. */
public final class NotPublishedException extends Exception {
  private static final long serialVersionUID = 1L;

  NotPublishedException(String message) {
    super(message);
  }

  NotPublishedException(String message, Throwable cause) {
    super(message, cause);
  }
}

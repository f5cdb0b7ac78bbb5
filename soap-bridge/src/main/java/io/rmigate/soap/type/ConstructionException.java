package io.rmigate.soap.type;

/** A value of a client cannot be constructed, or must not be. */
public final class ConstructionException extends Exception {
  private static final long serialVersionUID = 1L;

  /** For people; names the class and what it said. */
  public ConstructionException(Class<?> type, Throwable cause) {
    super("no " + type.getSimpleName() + " can be made of this" + said(cause), cause);
  }

  ConstructionException(String message) {
    super(message);
  }

  private static String said(Throwable cause) {
    String message = cause.getMessage();
    return message == null || message.isBlank() ? "" : ": " + message;
  }
}

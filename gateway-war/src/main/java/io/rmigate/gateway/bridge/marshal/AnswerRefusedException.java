package io.rmigate.gateway.bridge.marshal;

import io.rmigate.protocol.LogText;
import java.io.IOException;
import java.io.ObjectStreamException;

/** An answer holds what must not be let in. The message is for the gateway's log. */
public final class AnswerRefusedException extends ObjectStreamException {
  private static final long serialVersionUID = 1L;

  private final String what;
  private final String className;

  AnswerRefusedException(String message) {
    this(message, null);
  }

  AnswerRefusedException(String message, Throwable cause) {
    this(message, message, "", cause);
  }

  /**
   * @param className which class it is about; empty: none
   * @param cause may be null
   */
  AnswerRefusedException(String message, String className, Throwable cause) {
    this(message, message, className, cause);
  }

  private AnswerRefusedException(String message, String what, String className, Throwable cause) {
    super(message);
    this.what = what;
    this.className = className;
    initCause(cause);
  }

  /** The refusal that reading an answer has thrown, or one that calls the answer unreadable. */
  public static AnswerRefusedException of(IOException thrown) {
    return thrown instanceof AnswerRefusedException refused ? refused : unreadable(thrown);
  }

  /** The answer cannot be read; the message of {@code thrown} may have parts of the answer. */
  static AnswerRefusedException unreadable(Throwable thrown) {
    String what = "unreadable";
    return new AnswerRefusedException(
        what + ": " + LogText.brief(thrown.toString()), what, "", thrown);
  }

  /**
   * The reason of the refusal, without text that the server has chosen, except names of classes.
   */
  public String what() {
    return what;
  }

  /** The class that the refusal is about; empty: none. */
  public String className() {
    return className;
  }
}

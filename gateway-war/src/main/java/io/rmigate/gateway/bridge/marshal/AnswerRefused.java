package io.rmigate.gateway.bridge.marshal;

import java.io.ObjectStreamException;

/** An answer holds what must not be let in. The message is for the gateway's log. */
public final class AnswerRefused extends ObjectStreamException {
  private static final long serialVersionUID = 1L;

  AnswerRefused(String message) {
    super(message);
  }

  AnswerRefused(String message, Throwable cause) {
    super(message);
    initCause(cause);
  }
}

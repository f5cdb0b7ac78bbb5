package io.rmigate.client.jvm;

import java.net.ConnectException;

/**
 * A thread that is needed cannot be started: the machine has none left, or a security manager
 * forbids it. Thrown before anything was sent, so that a call may be repeated.
 */
public final class NoThreadException extends ConnectException {
  private static final long serialVersionUID = 1L;

  NoThreadException(String thread, Throwable cause) {
    super("the thread " + thread + " cannot be started: " + cause);
    initCause(cause);
  }
}

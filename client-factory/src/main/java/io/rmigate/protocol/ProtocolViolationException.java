package io.rmigate.protocol;

import java.net.ProtocolException;

/**
 * The peer broke the protocol: what it sent cannot be what an honest peer sends. The message names
 * what was expected and what came, numbers in hex. Our own mistakes are {@link
 * IllegalStateException}s, failures of the world plain {@link java.io.IOException}s; the three are
 * never mixed.
 */
public final class ProtocolViolationException extends ProtocolException {
  private static final long serialVersionUID = 1L;

  /** A violation described by {@code message}: what was expected, what came. */
  public ProtocolViolationException(String message) {
    super(message);
  }
}

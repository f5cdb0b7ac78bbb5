package io.rmigate.client.transport;

import java.io.IOException;

/**
 * Whoever answered at the gateway's address did not upgrade to WebSocket, or did not take a POST:
 * an HTTP proxy or load balancer in front of it may not be able to. The other transport may do.
 */
public final class TransportRefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  public TransportRefusedException(String message) {
    super(message);
  }
}

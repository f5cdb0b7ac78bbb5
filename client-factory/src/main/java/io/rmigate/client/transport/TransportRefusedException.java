package io.rmigate.client.transport;

import java.io.IOException;

/**
 * The server at the gateway's address did not upgrade to WebSocket, or did not take a POST. An HTTP
 * proxy or load balancer in front of the gateway may not be able to; the other transport may work.
 */
public final class TransportRefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  public TransportRefusedException(String message) {
    super(message);
  }
}

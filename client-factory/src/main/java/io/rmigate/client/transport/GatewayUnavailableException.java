package io.rmigate.client.transport;

import java.io.IOException;

/**
 * An HTTP server has answered that the gateway, or a load balancer before it, is unavailable now.
 * Another gateway may serve the session.
 */
public final class GatewayUnavailableException extends IOException {
  private static final long serialVersionUID = 1L;

  GatewayUnavailableException(String message) {
    super(message);
  }
}

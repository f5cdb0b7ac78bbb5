package io.rmigate.client.transport;

import java.io.IOException;

/**
 * An HTTP server has answered that the gateway, or what stands before it, cannot serve anybody now:
 * another gateway may.
 */
public final class GatewayUnavailableException extends IOException {
  private static final long serialVersionUID = 1L;

  GatewayUnavailableException(String message) {
    super(message);
  }
}

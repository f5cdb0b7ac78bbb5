package io.rmigate.client.transport.proxy;

import java.net.ConnectException;

/**
 * An HTTP proxy has answered that it does not reach the gateway. Another gateway may do better,
 * hence a ConnectException; another way to this one is not tried, since this was an answer.
 */
final class ProxyRefusedException extends ConnectException {
  private static final long serialVersionUID = 1;

  ProxyRefusedException(String message) {
    super(message);
  }
}

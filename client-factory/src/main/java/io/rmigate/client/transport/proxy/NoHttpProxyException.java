package io.rmigate.client.transport.proxy;

import java.net.ConnectException;

/** There is no HTTP proxy that could be asked for a connection to a server. */
public final class NoHttpProxyException extends ConnectException {
  private static final long serialVersionUID = 1L;

  NoHttpProxyException(String message) {
    super(message);
  }
}

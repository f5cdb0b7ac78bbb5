package io.rmigate.client.transport.http;

import java.io.IOException;

/**
 * An HTTP proxy, the gateway, or another server at its address has answered in HTTP and refused the
 * request. The message says what to do about it.
 */
public final class HttpRefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  private final boolean byProxy;
  private final int status;

  public HttpRefusedException(boolean byProxy, int status, String message) {
    super(message);
    this.byProxy = byProxy;
    this.status = status;
  }

  /** Whether the HTTP proxy has refused CONNECT; otherwise the server at the gateway's address. */
  public boolean byProxy() {
    return byProxy;
  }

  /** The status code; 200 for a web page that came instead of what was expected. */
  public int status() {
    return status;
  }
}

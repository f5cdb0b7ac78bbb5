package io.rmigate.client.transport.net;

import io.rmigate.client.config.HttpProxy;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.Optional;

/**
 * A connection that has been made.
 *
 * @param plain the TCP connection at the bottom, whose close never waits
 * @param top what to speak through: {@code plain}, or the TLS to an HTTP proxy on it
 * @param proxy the HTTP proxy that it goes through
 */
public record DialedSocket(Socket plain, Socket top, Optional<HttpProxy> proxy) {

  public static DialedSocket directly(Socket socket) {
    return new DialedSocket(socket, socket, Optional.empty());
  }

  /** For the text that describes a transport: nothing, or the HTTP proxy. */
  public String via() {
    return proxy.isPresent() ? " via " + proxy.get() : "";
  }

  /** Closes without waiting for the peer. */
  public void close() {
    SocketTeardown.close(plain);
  }

  /** Input of {@code top}. */
  public InputStream input() throws IOException {
    return top.getInputStream();
  }
}

package io.rmigate.client.transport.net;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;

/**
 * A connection to an RMI server itself, past any gateway. Closing it never waits for the peer.
 *
 * @param plain the TCP connection at the bottom
 * @param top what to speak through: {@code plain}, or the TLS to an HTTP proxy on it
 * @param via for logs: nothing, or the HTTP proxy
 */
public record ServerConnection(Socket plain, Socket top, String via) implements Closeable {
  /** Bytes from the server. */
  public InputStream input() throws IOException {
    return top.getInputStream();
  }

  /** Bytes to the server. */
  public OutputStream output() throws IOException {
    return top.getOutputStream();
  }

  @Override
  public void close() {
    SocketTeardown.close(plain);
  }
}

package io.rmigate.client.transport.net;

import java.io.IOException;
import java.net.Socket;

/** Closing a socket that is of no use any more. */
public final class SocketTeardown {
  private SocketTeardown() {}

  public static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is closed either way, and its user learns so from the next read or write.
    }
  }
}

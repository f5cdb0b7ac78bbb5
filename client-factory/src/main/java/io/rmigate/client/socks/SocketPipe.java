package io.rmigate.client.socks;

import io.rmigate.client.jvm.Daemons;
import io.rmigate.client.transport.net.ServerConnection;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;

/**
 * Carries the bytes of a client to a server that was connected to past the gateway, and back, as
 * they are. Ends when either side does. The calling thread carries one direction, one of its own
 * the other.
 */
final class SocketPipe {
  private final Socket client;
  private final ServerConnection server;

  SocketPipe(Socket client, ServerConnection server) {
    this.client = client;
    this.server = server;
  }

  /** Carries bytes until both directions have ended. */
  void run() throws IOException {
    Thread back =
        Daemons.start(
            Thread.currentThread().getName() + " back",
            () -> carry(server::input, client::getOutputStream, client));
    carry(client::getInputStream, server::output, server.top());
    boolean interrupted = false;
    while (back.isAlive()) {
      try {
        back.join();
      } catch (InterruptedException likeASocket) {
        interrupted = true;
        close();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @FunctionalInterface
  private interface Stream<T> {
    T get() throws IOException;
  }

  /** The end of one direction is passed on; its failure ends both. */
  private void carry(Stream<InputStream> from, Stream<OutputStream> to, Socket target) {
    try {
      from.get().transferTo(to.get());
      target.shutdownOutput();
    } catch (IOException | RuntimeException | Error over) {
      close();
    }
  }

  private void close() {
    server.close();
    try {
      client.close();
    } catch (IOException harmless) {
      // It is of no use any more.
    }
  }
}

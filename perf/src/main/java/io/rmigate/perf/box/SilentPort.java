package io.rmigate.perf.box;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;

/**
 * A firewall that drops: a port at which connecting gets no answer. No program accepts connections
 * and the accept queue is full, so that Linux drops each further SYN.
 */
public final class SilentPort implements Closeable {
  private static final int PROBE_MILLIS = 200;
  private static final int MOST = 16;

  private final ServerSocket socket = new ServerSocket();
  private final List<Socket> waiting = new ArrayList<>();

  /**
   * Listens, and fills the queue.
   *
   * @throws IOException the port is in use, or connections to it are answered all the same
   */
  public SilentPort(InetSocketAddress at) throws IOException {
    try {
      socket.bind(at, 1);
      fill();
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  private void fill() throws IOException {
    for (int i = 0; i < MOST; i++) {
      Socket next = new Socket();
      waiting.add(next);
      try {
        next.connect(socket.getLocalSocketAddress(), PROBE_MILLIS);
      } catch (SocketTimeoutException full) {
        return;
      }
    }
    throw new IOException("this system answers connections to a port at which no program accepts");
  }

  /** Where it listens. */
  public int port() {
    return socket.getLocalPort();
  }

  @Override
  public void close() {
    Listener.closeQuietly(socket);
    waiting.forEach(Listener::closeQuietly);
  }
}

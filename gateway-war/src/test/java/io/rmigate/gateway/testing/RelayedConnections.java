package io.rmigate.gateway.testing;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The TCP connections of a relay: each that comes is paired with one to the target, with a thread
 * for each direction. Thread-safe; all threads are daemons and end with their connections.
 */
final class RelayedConnections implements Closeable {

  /** What a relay does with the bytes of one direction. */
  interface Pump {
    /**
     * Returns, or throws, when there is no more to be done for this direction; who has to end the
     * connection calls {@link #end}.
     *
     * @param forth from the client to the target
     */
    void pump(Socket from, Socket to, boolean forth) throws IOException;
  }

  private final ServerSocket listener;
  private final InetSocketAddress target;
  private final String name;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  /**
   * @param port 0 for any
   * @param name of the threads
   */
  RelayedConnections(InetAddress address, int port, InetSocketAddress target, String name)
      throws IOException {
    this.target = target;
    this.name = name;
    listener = new ServerSocket(port, 50, address);
  }

  /**
   * Begins to accept.
   *
   * @param onConnected is run when a connection has reached the target, before anything passes
   */
  void start(Runnable onConnected, Pump pump) {
    startThread(() -> acceptAll(onConnected, pump));
  }

  int port() {
    return listener.getLocalPort();
  }

  /** Both ends of all connections there are. */
  Set<Socket> open() {
    return open;
  }

  private void acceptAll(Runnable onConnected, Pump pump) {
    while (!listener.isClosed()) {
      try {
        connect(listener.accept(), onConnected, pump);
      } catch (IOException closed) {
        // By close, which ends the loop; or the target refused, and the client has been told.
      }
    }
  }

  private void connect(Socket client, Runnable onConnected, Pump pump) throws IOException {
    open.add(client);
    Socket server = new Socket();
    open.add(server);
    try {
      server.connect(target);
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
    } catch (IOException refused) {
      end(client);
      end(server);
      throw refused;
    }
    onConnected.run();
    startThread(() -> run(pump, client, server, true));
    startThread(() -> run(pump, server, client, false));
    if (listener.isClosed()) { // perhaps unseen by close
      end(client);
      end(server);
    }
  }

  private static void run(Pump pump, Socket from, Socket to, boolean forth) {
    try {
      pump.pump(from, to, forth);
    } catch (IOException over) {
      // The pump has seen to both ends.
    }
  }

  /** Ends this end of a connection; nothing happens when it has ended. */
  void end(Socket socket) {
    open.remove(socket);
    try {
      socket.close();
    } catch (IOException already) {
      // Nothing is left to be closed.
    }
  }

  /** Ends every connection there is. */
  void endAll() {
    open.forEach(this::end);
  }

  private void startThread(Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    listener.close();
    endAll();
  }
}

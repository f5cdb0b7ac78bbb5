package io.rmigate.perf.box;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Serves connections to a port, each on a daemon thread of its own. Thread-safe. */
final class Listener implements Closeable {
  /** More are closed at once. */
  static final int MAX_CONNECTIONS = 2_000;

  private static final int BACKLOG = 512;

  private final ServerSocket socket;
  private final Service service;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  /** Serves a connection, which is closed afterwards. */
  interface Service {
    void serve(Connection connection) throws IOException;
  }

  /** A client's connection, and a way to have others closed with the listener. */
  final class Connection {
    private final Socket client;

    private Connection(Socket client) {
      this.client = client;
    }

    Socket client() {
      return client;
    }

    /** Connects to the other side; it ends with the listener, too. */
    Socket connect(InetSocketAddress target, int timeoutMillis) throws IOException {
      Socket inner = new Socket();
      open.add(inner);
      try {
        inner.connect(target, timeoutMillis);
        inner.setTcpNoDelay(true);
        return inner;
      } catch (IOException e) {
        forget(inner);
        throw e;
      }
    }

    void forget(Socket inner) {
      open.remove(inner);
      closeQuietly(inner);
    }
  }

  /**
   * @param at with port 0 for any free one
   */
  Listener(String name, InetSocketAddress at, Service service) throws IOException {
    this.service = service;
    socket = new ServerSocket();
    try {
      socket.bind(at, BACKLOG);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
    daemon(name, this::acceptAll);
  }

  int port() {
    return socket.getLocalPort();
  }

  private void acceptAll() {
    while (!socket.isClosed()) {
      try {
        Socket client = socket.accept();
        if (open.size() >= MAX_CONNECTIONS) {
          closeQuietly(client);
        } else {
          open.add(client);
          daemon("box connection", () -> serve(client));
        }
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket client) {
    try {
      client.setTcpNoDelay(true);
      service.serve(new Connection(client));
    } catch (IOException over) {
      // Both sides hear of it by the end of their connections.
    } finally {
      open.remove(client);
      closeQuietly(client);
    }
  }

  static void daemon(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  static void closeQuietly(Closeable socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is of no use any more, which was the purpose.
    }
  }

  @Override
  public void close() {
    closeQuietly(socket);
    open.forEach(Listener::closeQuietly);
  }
}

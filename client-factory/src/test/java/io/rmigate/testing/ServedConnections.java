package io.rmigate.testing;

import static io.rmigate.testing.Patience.PATIENCE;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The TCP connections to a server that a test plays: any number at a time, with a daemon thread for
 * each. Thread-safe. Closing them ends every connection and waits for the threads.
 */
public final class ServedConnections implements Closeable {

  /** What becomes of a connection. */
  @FunctionalInterface
  public interface Service {
    /**
     * The connection is closed when this is over.
     *
     * @throws IOException when either side has ended it, which is as good an end
     */
    void serve(Socket client) throws IOException, InterruptedException;
  }

  private final ServerSocket listener;
  private final String name;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();
  private final AtomicInteger accepted = new AtomicInteger();

  /**
   * Listens on any free port of loopback.
   *
   * @param name of the threads
   */
  public ServedConnections(String name) throws IOException {
    this(name, InetAddress.getLoopbackAddress());
  }

  /** Listens on any free port of an address of this machine. */
  public ServedConnections(String name, InetAddress address) throws IOException {
    this.name = name;
    listener = new ServerSocket(0, 50, address);
  }

  /** Begins to accept. */
  public void start(Service service) {
    run(() -> acceptAll(service));
  }

  /** Where it listens. */
  public int port() {
    return listener.getLocalPort();
  }

  /** How many connections have been accepted. */
  public int accepted() {
    return accepted.get();
  }

  private void acceptAll(Service service) {
    while (true) {
      try {
        Socket client = listener.accept();
        endAlong(client);
        accepted.incrementAndGet();
        run(() -> serve(client, service));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket client, Service service) {
    try (client) {
      service.serve(client);
    } catch (IOException | InterruptedException over) {
      // The other side hears of it.
    }
  }

  /** A socket that a service has opened ends with the connections, if not before. */
  public void endAlong(Socket socket) throws IOException {
    open.removeIf(Socket::isClosed);
    open.add(socket);
    if (listener.isClosed()) { // perhaps unseen by close
      socket.close();
    }
  }

  /** Runs what a service has to do besides; it ends when the connections do. */
  public void run(Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
  }

  /** Ends every connection there is. */
  public void cut() throws IOException {
    for (Socket socket : open) {
      socket.close();
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    cut();
    for (Thread thread = threads.poll(); thread != null; thread = threads.poll()) {
      try {
        thread.join(PATIENCE.toMillis());
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      if (thread.isAlive()) {
        throw new AssertionError("a thread is still there: " + name);
      }
    }
  }
}

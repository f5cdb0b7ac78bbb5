package io.rmigate.client.socks;

import io.rmigate.client.jvm.Daemons;
import io.rmigate.client.jvm.NoThreadException;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Accepts connections of programs, of this machine as a rule, each on a daemon thread of its own,
 * up to a bound, and to a share of that for other machines; what comes beyond is closed at once.
 * {@link #close} ends them all.
 */
public final class LocalListener implements Closeable {
  private static final int BACKLOG = 128;

  /** Takes care of one connection, and returns when that is over; it is closed then. */
  @FunctionalInterface
  public interface Handler {
    /** On a thread that is there for this connection alone. */
    void handle(Socket connection) throws IOException;
  }

  private final ServerSocket listening;
  private final String name;
  private final Handler handler;
  private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
  private final ConnectionShares shares;
  private final RareWarning refused =
      new RareWarning(
          LocalListener.class,
          "{0}: a connection of {1} was refused: there are {2}, or it has its share of them");

  /**
   * Listens; {@link #start} comes next.
   *
   * @param port 0 for any
   * @param name of the threads
   * @param most connections at a time, of which other machines have {@link ConnectionShares}
   */
  public LocalListener(InetAddress address, int port, String name, int most, Handler handler)
      throws IOException {
    this.listening = new ServerSocket();
    this.name = name;
    this.shares = new ConnectionShares(most);
    this.handler = handler;
    try {
      listening.bind(new InetSocketAddress(address, port), BACKLOG);
    } catch (IOException taken) {
      listening.close();
      throw taken;
    }
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return (InetSocketAddress) listening.getLocalSocketAddress();
  }

  /**
   * Begins to accept.
   *
   * @throws NoThreadException nothing is accepted
   */
  public LocalListener start() throws NoThreadException {
    Daemons.start(name, this::accept);
    return this;
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket connection = listening.accept();
        if (!shares.take(connection.getInetAddress())) {
          connection.close();
          refused.log(name, connection.getInetAddress().getHostAddress(), shares.taken());
          continue;
        }
        connections.add(connection);
        if (listening.isClosed()) {
          connection.close();
        }
        begin(connection);
      } catch (IOException | RuntimeException | Error closedOrOutOfDescriptorsOrMemory) {
        pause();
      }
    }
  }

  private void begin(Socket connection) {
    try {
      Daemons.start(name + " " + connection.getPort(), () -> handle(connection));
    } catch (NoThreadException none) {
      end(connection);
    }
  }

  /** A machine without descriptors must not make this a busy loop. */
  private void pause() {
    if (!listening.isClosed()) {
      try {
        Thread.sleep(100);
      } catch (InterruptedException nobodyDoes) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void handle(Socket connection) {
    try {
      connection.setTcpNoDelay(true);
      handler.handle(connection);
    } catch (IOException | UncheckedIOException over) {
      System.getLogger(LocalListener.class.getName())
          .log(System.Logger.Level.DEBUG, "{0}: {1}", name, over);
    } finally {
      end(connection);
    }
  }

  private void end(Socket connection) {
    close(connection);
    connections.remove(connection);
    shares.giveBack(connection.getInetAddress());
  }

  private static void close(Socket connection) {
    try {
      connection.close();
    } catch (IOException harmless) {
      // It is of no use any more.
    }
  }

  /** Connections there are. */
  public int connections() {
    return shares.taken();
  }

  /** Accepts nothing any more, and ends what there is. Idempotent. */
  @Override
  public void close() {
    try {
      listening.close();
    } catch (IOException harmless) {
      // Nothing is accepted any more, which is what was wanted.
    }
    connections.forEach(LocalListener::close);
  }
}

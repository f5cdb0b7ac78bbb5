package io.rmigate.client.async;

import io.rmigate.client.link.StreamSequence;
import java.io.Closeable;
import java.rmi.ConnectIOException;
import java.rmi.RemoteException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Connections whose calls the gateway makes one after the other, in the order in which they are
 * sent, until one does not return normally. Used for nothing else.
 *
 * <p>Thread-safe; connections are made and closed outside of the lock.
 */
final class SequencedConnections implements ConnectionSource, Closeable {
  private final StubReference.Server server;
  private final StreamSequence sequence = new StreamSequence(true);
  private final ReentrantLock lock = new ReentrantLock();
  private final Set<CallConnection> all = new HashSet<>();
  private final Deque<CallConnection> idle = new ArrayDeque<>();
  private boolean closed;

  private SequencedConnections(StubReference.Server server) {
    this.server = server;
  }

  /**
   * A first connection, for a sequence of its own.
   *
   * @return null when calls to that server do not pass a gateway that knows sequences
   */
  static SequencedConnections open(StubReference.Server server) throws RemoteException {
    SequencedConnections opened = new SequencedConnections(server);
    CallConnection first = CallConnection.open(server);
    if (!first.join(opened.sequence)) {
      first.close();
      return null;
    }
    opened.all.add(first);
    opened.idle.add(first);
    return opened;
  }

  @Override
  public StubReference.Server server() {
    return server;
  }

  @Override
  public boolean passesGateway() {
    return true;
  }

  @Override
  public CallConnection take() throws RemoteException {
    lock.lock();
    try {
      if (!idle.isEmpty()) {
        return idle.remove();
      }
    } finally {
      lock.unlock();
    }
    CallConnection opened = CallConnection.open(server);
    if (!opened.join(sequence) || !isKept(opened)) {
      opened.close();
      throw new ConnectIOException("the sequence of calls has ended");
    }
    return opened;
  }

  private boolean isKept(CallConnection opened) {
    lock.lock();
    try {
      return !closed && all.add(opened);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void giveBack(CallConnection connection) {
    boolean keeps;
    lock.lock();
    try {
      keeps = !closed;
      if (keeps) {
        idle.add(connection);
      }
    } finally {
      lock.unlock();
    }
    if (!keeps) {
      connection.close();
    }
  }

  /** Ends the sequence: what is not at the server is not executed. */
  @Override
  public void close() {
    List<CallConnection> last;
    lock.lock();
    try {
      closed = true;
      last = new ArrayList<>(all);
      all.clear();
      idle.clear();
    } finally {
      lock.unlock();
    }
    last.forEach(CallConnection::close);
  }
}

package io.rmigate.client.transport.net;

import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Follows one attempt to connect from another thread, and may end it: when several attempts run at
 * a time, the winner ends the others. Thread-safe.
 */
public final class ConnectWatch {
  private final ReentrantLock lock = new ReentrantLock();

  /** Null when there is nothing to be run. */
  private final Runnable onDialed;

  /** Sockets of the attempt that are closed when it is abandoned. */
  private final List<Socket> sockets = new ArrayList<>();

  private OptionalLong dialedNanos = OptionalLong.empty();
  private boolean abandoned;

  /** A watch over an attempt that is only to be ended, if at all. */
  public ConnectWatch() {
    this(null);
  }

  /**
   * Over an attempt that is going to begin.
   *
   * @param onDialed run by the thread of the attempt when {@link #dialedNanos} is known
   */
  public ConnectWatch(Runnable onDialed) {
    this.onDialed = onDialed;
  }

  /**
   * A socket that is about to be connected.
   *
   * @throws SocketException the attempt was abandoned
   */
  void opened(Socket socket) throws SocketException {
    lock.lock();
    try {
      if (abandoned) {
        throw new SocketException("abandoned: another way was faster");
      }
      sockets.add(socket);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Something has been asked on that socket which should be taken back in order: from here on it is
   * the attempt that ends it, if it is not abandoned already.
   *
   * @throws SocketException the attempt was abandoned
   */
  public void leaveOpen(Socket socket) throws SocketException {
    lock.lock();
    try {
      if (abandoned) {
        throw new SocketException("abandoned: another way was faster");
      }
      sockets.remove(socket);
    } finally {
      lock.unlock();
    }
  }

  /** The peer is connected, TLS included: the rest is for this way alone to settle. */
  public void dialed() {
    lock.lock();
    try {
      dialedNanos = OptionalLong.of(System.nanoTime());
    } finally {
      lock.unlock();
    }
    if (onDialed != null) {
      onDialed.run();
    }
  }

  /**
   * When the peer had been reached, on the clock of {@link System#nanoTime}; its answer follows.
   */
  public OptionalLong dialedNanos() {
    lock.lock();
    try {
      return dialedNanos;
    } finally {
      lock.unlock();
    }
  }

  /** Closes what the attempt has opened and is going to open. Never waits. */
  public void abandon() {
    List<Socket> open;
    lock.lock();
    try {
      abandoned = true;
      open = List.copyOf(sockets);
      sockets.clear();
    } finally {
      lock.unlock();
    }
    open.forEach(SocketTeardown::close);
  }
}

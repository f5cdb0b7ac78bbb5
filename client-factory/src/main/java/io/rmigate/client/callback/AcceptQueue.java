package io.rmigate.client.callback;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Connections that wait to be accepted. There are no more of them than streams that the gateway may
 * open, and threads of this JVM that call its own objects. Waits are not interruptible.
 * Thread-safe.
 */
final class AcceptQueue implements IncomingConnections {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Deque<Socket> waiting = new ArrayDeque<>();
  private boolean closed;

  @Override
  public boolean offer(Socket connection) {
    lock.lock();
    try {
      if (!closed) {
        waiting.add(connection);
        changed.signal();
      }
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for a connection, for ever if need be: a lost link is no reason to stop.
   *
   * @param timeoutMillis 0 for none
   * @throws SocketException closed
   */
  Socket take(int timeoutMillis) throws SocketException, SocketTimeoutException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    boolean interrupted = false;
    lock.lock();
    try {
      while (waiting.isEmpty() && !closed) {
        if (timeoutMillis == 0) {
          changed.awaitUninterruptibly();
          continue;
        }
        long left = deadline - System.nanoTime();
        if (left <= 0) {
          throw new SocketTimeoutException("Accept timed out");
        }
        try {
          changed.awaitNanos(left);
        } catch (InterruptedException likeASocket) {
          interrupted = true;
        }
      }
      if (closed) {
        throw new SocketException("Socket closed");
      }
      return waiting.remove();
    } finally {
      lock.unlock();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() throws IOException {
    Deque<Socket> dropped;
    lock.lock();
    try {
      closed = true;
      dropped = new ArrayDeque<>(waiting);
      waiting.clear();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    for (Socket connection : dropped) {
      connection.close();
    }
  }
}

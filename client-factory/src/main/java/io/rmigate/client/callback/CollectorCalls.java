package io.rmigate.client.callback;

import java.io.UncheckedIOException;
import java.net.SocketException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Our dirty and clean calls to one listener of this JVM, one after the other. There is a connection
 * while there are calls; nothing here blocks. A call that the JVM does not answer (its threads are
 * exhausted, say) has failed, and the next one is tried.
 *
 * <p>Thread-safe. {@code lock} guards all fields; no foreign code runs under it.
 */
final class CollectorCalls implements CollectorConnection.Calls {
  private final IncomingConnections queue;
  private final int port;

  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<CollectorCall> waiting = new ArrayDeque<>();

  /** The call that the JVM has been given and has not answered. */
  private CollectorCall asked;

  /** Null while no call waits. */
  private CollectorConnection connection;

  CollectorCalls(IncomingConnections queue, int port) {
    this.queue = queue;
    this.port = port;
  }

  /** Makes a call behind all that have been made. */
  void call(CollectorCall call) {
    CollectorConnection opened = null;
    lock.lock();
    try {
      waiting.add(call);
      if (connection == null) {
        opened = open();
      }
    } finally {
      lock.unlock();
    }
    offer(opened);
  }

  private CollectorConnection open() {
    try {
      connection = new CollectorConnection(this, port);
      return connection;
    } catch (SocketException impossible) {
      throw new UncheckedIOException(impossible); // nothing is connected
    }
  }

  private void offer(CollectorConnection opened) {
    if (opened != null && !queue.offer(opened)) {
      opened.close(); // the JVM has just stopped listening
    }
  }

  @Override
  public Optional<byte[]> next(CollectorConnection on) {
    lock.lock();
    try {
      if (on != connection) {
        return Optional.empty();
      }
      asked = waiting.poll();
      if (asked == null) {
        connection = null;
        return Optional.empty();
      }
      return Optional.of(asked.call().encode());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void onAnswer(CollectorConnection from, byte[] message) {
    CollectorCall answered;
    lock.lock();
    try {
      if (from != connection || asked == null) {
        return;
      }
      answered = asked;
      asked = null;
    } finally {
      lock.unlock();
    }
    answered.answered(message);
  }

  @Override
  public void onClosed(CollectorConnection gone) {
    CollectorCall failed = null;
    CollectorConnection opened = null;
    lock.lock();
    try {
      if (gone != connection) {
        return;
      }
      failed = asked == null ? waiting.poll() : asked;
      asked = null;
      connection = null;
      if (!waiting.isEmpty()) {
        opened = open();
      }
    } finally {
      lock.unlock();
    }
    if (failed != null) {
      failed.failed();
    }
    offer(opened);
  }

  /** Gives up the connection that there is; its call fails. */
  void abandon() {
    CollectorConnection stuck;
    lock.lock();
    try {
      stuck = connection;
    } finally {
      lock.unlock();
    }
    if (stuck != null) {
      stuck.close();
    }
  }
}

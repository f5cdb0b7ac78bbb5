package io.rmigate.gateway.amplification;

import io.rmigate.protocol.coding.CodedReader;
import io.rmigate.protocol.coding.ContentCoding;
import io.rmigate.protocol.tunnel.Credit;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.Goodbye;
import io.rmigate.protocol.tunnel.Leased;
import io.rmigate.protocol.tunnel.Refused;
import io.rmigate.protocol.tunnel.Unbound;
import io.rmigate.protocol.tunnel.Welcome;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Counts the frames that the gateway has sent to a client. A thread of its own reads them; neither
 * side is charged for it. Lock: {@code lock} guards all fields.
 */
final class Inbox {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** Reads a connection to its end. */
  interface Reading {
    void read(DataInputStream in) throws IOException;
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition more = lock.newCondition();
  private final CodedReader reader = new CodedReader(this::onFrame);
  private boolean welcome;
  private long credit;
  private long dataBytes;
  private long refused;
  private long lookups;
  private long leases;
  private Throwable failure;

  /** Reads the connection, on a thread of its own, until it is closed. */
  static void drain(SocketChannel from, Reading reading) {
    Thread thread =
        new Thread(
            () -> {
              try (DataInputStream in =
                  new DataInputStream(new BufferedInputStream(Channels.newInputStream(from)))) {
                reading.read(in);
              } catch (IOException closed) {
                // the end of a measurement
              }
            },
            "client-reader");
    thread.setDaemon(true);
    thread.start();
  }

  /** Decodes the next bytes. */
  void feed(byte[] bytes, int length) throws IOException {
    lock.lock();
    try {
      reader.feed(bytes, 0, length);
      more.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Has waiting threads look at their conditions again. */
  void recheck() {
    lock.lock();
    try {
      more.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Requires the lock. */
  private void onFrame(Frame frame) {
    if (frame instanceof Data data) {
      dataBytes += data.bytes().length;
    } else if (frame instanceof Credit given) {
      credit += given.moreBytes();
    } else if (frame instanceof Refused) {
      refused++;
    } else if (frame instanceof Unbound) {
      lookups++;
    } else if (frame instanceof Leased leased) {
      if (leased.outcome() == Leased.Outcome.HELD) {
        leases++;
      } else {
        failure = new IllegalStateException("no lease: " + leased);
      }
    } else if (frame instanceof Goodbye goodbye) {
      failure = new IllegalStateException("the session has ended: " + goodbye);
    } else if (frame instanceof Welcome received) {
      reader.begin(ContentCoding.named(received.coding()).orElseThrow());
      credit += received.streamCredit();
      welcome = true;
    }
  }

  /**
   * Waits until the condition holds, which may read the counters below; false: the interruption
   * holds first.
   */
  boolean await(BooleanSupplier condition, BooleanSupplier interruption) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    lock.lock();
    try {
      while (!condition.getAsBoolean()) {
        if (failure != null) {
          throw new IllegalStateException(failure);
        }
        if (interruption.getAsBoolean()) {
          return false;
        }
        if (more.awaitNanos(end - System.nanoTime()) <= 0) {
          throw new IllegalStateException("the gateway says nothing");
        }
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } finally {
      lock.unlock();
    }
  }

  /** Whether the session is open. Requires the lock, as do the methods below. */
  boolean isWelcome() {
    return welcome;
  }

  /** Bytes that one stream may send, from its beginning. */
  long credit() {
    return credit;
  }

  /** Bytes that have come on streams. */
  long dataBytes() {
    return dataBytes;
  }

  /** Requests that were refused. */
  long refused() {
    return refused;
  }

  /** Lookups that found nothing. */
  long lookups() {
    return lookups;
  }

  /** Requests for leases that have all been granted. */
  long leases() {
    return leases;
  }
}

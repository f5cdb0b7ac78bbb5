package io.rmigate.client.virtual;

import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One direction of a connection in memory: a ring of bytes between one writer and one reader.
 * Either may end it, from any thread. Waits are not interruptible; the interrupt status is kept.
 */
final class Pipe {
  private static final int CAPACITY_BYTES = 64 * 1024;
  private static final int FIRST_BYTES = 1024;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Guarded by lock.
  private byte[] ring = new byte[FIRST_BYTES];
  private int begin;
  private int count;
  private boolean writerGone;
  private boolean readerGone;

  void write(byte[] bytes, int offset, int length) throws IOException {
    lock.lock();
    try {
      int done = 0;
      while (done < length) {
        while (count == CAPACITY_BYTES && !readerGone && !writerGone) {
          changed.awaitUninterruptibly();
        }
        if (writerGone) {
          throw new SocketException("Socket closed");
        }
        if (readerGone) {
          throw new SocketException("Broken pipe");
        }
        int part = Math.min(length - done, CAPACITY_BYTES - count);
        reserve(part);
        put(bytes, offset + done, part);
        done += part;
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  private void reserve(int more) {
    if (ring.length - count < more) {
      int doubled = Math.max(ring.length * 2, count + more);
      byte[] grown = new byte[Math.min(doubled, CAPACITY_BYTES)];
      int kept = count;
      copyOut(grown, 0, kept);
      ring = grown;
      begin = 0;
    }
  }

  private void put(byte[] bytes, int offset, int length) {
    int end = (begin + count) % ring.length;
    int first = Math.min(length, ring.length - end);
    System.arraycopy(bytes, offset, ring, end, first);
    System.arraycopy(bytes, offset + first, ring, 0, length - first);
    count += length;
  }

  private void copyOut(byte[] to, int offset, int length) {
    int first = Math.min(length, ring.length - begin);
    System.arraycopy(ring, begin, to, offset, first);
    System.arraycopy(ring, 0, to, offset + first, length - first);
  }

  /**
   * Reads what is there, waiting for it.
   *
   * @param timeoutMillis 0 for none
   * @return −1 when the writer has gone and everything was read
   */
  int read(byte[] buffer, int offset, int length, int timeoutMillis) throws IOException {
    if (length == 0) {
      return 0;
    }
    boolean interrupted = false;
    long left = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    lock.lock();
    try {
      while (count == 0 && !writerGone && !readerGone) {
        if (timeoutMillis == 0) {
          changed.awaitUninterruptibly();
        } else if (left <= 0) {
          throw new SocketTimeoutException("Read timed out");
        } else {
          long since = System.nanoTime();
          try {
            changed.awaitNanos(left);
          } catch (InterruptedException likeASocket) {
            interrupted = true;
          }
          left -= System.nanoTime() - since;
        }
      }
      if (readerGone) {
        throw new SocketException("Socket closed");
      }
      if (count == 0) {
        return -1;
      }
      int part = Math.min(length, count);
      copyOut(buffer, offset, part);
      begin = (begin + part) % ring.length;
      count -= part;
      changed.signalAll();
      return part;
    } finally {
      lock.unlock();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  int available() {
    lock.lock();
    try {
      return count;
    } finally {
      lock.unlock();
    }
  }

  /** Ends the writing; the bytes in the pipe can still be read. */
  void endWriting() {
    end(true, false);
  }

  void endReading() {
    end(false, true);
  }

  private void end(boolean writer, boolean reader) {
    lock.lock();
    try {
      writerGone |= writer;
      readerGone |= reader;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}

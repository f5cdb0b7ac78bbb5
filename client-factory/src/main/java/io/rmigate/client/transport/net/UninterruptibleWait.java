package io.rmigate.client.transport.net;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;

/**
 * Waits as plain sockets do, since those who call may never have seen anything else: an interrupt
 * neither ends nor shortens them, and is kept for the caller.
 */
public final class UninterruptibleWait {
  private UninterruptibleWait() {}

  /**
   * What comes of a task.
   *
   * @param nanos at the most; none or less: only if it is there
   */
  public static <T> T get(Future<T> task, long nanos) throws ExecutionException, TimeoutException {
    long deadline = System.nanoTime() + nanos;
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return task.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException likeASocket) {
          interrupted = true;
        }
      }
    } finally {
      restore(interrupted);
    }
  }

  /** Takes a lock, if it can be had within that time. */
  public static boolean tryLock(Lock lock, long nanos) {
    long deadline = System.nanoTime() + nanos;
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return lock.tryLock(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException likeASocket) {
          interrupted = true;
        }
      }
    } finally {
      restore(interrupted);
    }
  }

  /** Pauses. */
  public static void sleep(long nanos) {
    long deadline = System.nanoTime() + nanos;
    boolean interrupted = false;
    try {
      for (long left = nanos; left > 0; left = deadline - System.nanoTime()) {
        try {
          TimeUnit.NANOSECONDS.sleep(left);
        } catch (InterruptedException likeASocket) {
          interrupted = true;
        }
      }
    } finally {
      restore(interrupted);
    }
  }

  private static void restore(boolean interrupted) {
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}

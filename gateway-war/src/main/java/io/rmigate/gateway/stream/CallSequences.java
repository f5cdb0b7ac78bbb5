package io.rmigate.gateway.stream;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The sequences of one session by their numbers. A sequence is there as long as a stream takes part
 * in it, so that there are no more than streams.
 *
 * <p>From any thread. {@code lock} guards the map; nothing is called under it.
 */
public final class CallSequences {
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Integer, CallSequence> byNumber = new HashMap<>();

  /** The sequence of that number, with one stream more. */
  CallSequence join(int number) {
    lock.lock();
    try {
      CallSequence joined = byNumber.computeIfAbsent(number, unknown -> new CallSequence());
      joined.streams++;
      return joined;
    } finally {
      lock.unlock();
    }
  }

  /** A stream is over that took part. */
  void leave(int number, CallSequence left) {
    lock.lock();
    try {
      left.streams--;
      if (left.streams == 0) {
        byNumber.remove(number, left);
      }
    } finally {
      lock.unlock();
    }
  }

  /** How many there are. */
  public int count() {
    lock.lock();
    try {
      return byNumber.size();
    } finally {
      lock.unlock();
    }
  }
}

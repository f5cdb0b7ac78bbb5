package io.rmigate.client.link;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.tunnel.Tunnel;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The streams of one link that the gateway has opened, by number. They have even ones, chosen by
 * the gateway; a number is free again once both sides have closed the stream. Thread-safe.
 */
final class AcceptedStreams {
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Integer, LinkStream> byNumber = new HashMap<>();

  /** Whether a stream of this number is one that the gateway has opened. */
  static boolean isTheirs(int number) {
    return (number & 1) == 0;
  }

  void add(LinkStream stream) throws ProtocolViolationException {
    lock.lock();
    try {
      if (byNumber.size() >= Tunnel.MAX_ACCEPTED_STREAMS) {
        throw new ProtocolViolationException(
            "expected at most "
                + Tunnel.MAX_ACCEPTED_STREAMS
                + " streams of the gateway, got more");
      }
      if (!isTheirs(stream.id()) || byNumber.putIfAbsent(stream.id(), stream) != null) {
        throw new ProtocolViolationException(
            "expected ACCEPT with a free even number, got " + stream.id());
      }
    } finally {
      lock.unlock();
    }
  }

  /** The stream of that number; null when there is none. */
  LinkStream get(int number) {
    lock.lock();
    try {
      return byNumber.get(number);
    } finally {
      lock.unlock();
    }
  }

  void remove(LinkStream stream) {
    lock.lock();
    try {
      byNumber.remove(stream.id(), stream);
    } finally {
      lock.unlock();
    }
  }

  List<LinkStream> all() {
    lock.lock();
    try {
      return List.copyOf(byNumber.values());
    } finally {
      lock.unlock();
    }
  }
}

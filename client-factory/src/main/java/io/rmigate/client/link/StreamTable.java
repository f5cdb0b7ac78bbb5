package io.rmigate.client.link;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;

/**
 * The agent's streams of one link by number. Streams that the agent opens have odd numbers, the
 * lowest free one first, so that numbers stay short on the wire; a number is free again once both
 * sides have closed the stream.
 */
final class StreamTable {
  private final ReentrantLock lock = new ReentrantLock();
  private LinkStream[] byIndex = new LinkStream[16];
  private int count;

  /** Makes a stream under a free number; null when {@code max} are there already. */
  LinkStream add(int max, IntFunction<LinkStream> make) {
    lock.lock();
    try {
      if (count >= max) {
        return null;
      }
      int index = 0;
      while (index < byIndex.length && byIndex[index] != null) {
        index++;
      }
      if (index == byIndex.length) {
        byIndex = Arrays.copyOf(byIndex, index * 2);
      }
      LinkStream stream = make.apply(index * 2 + 1);
      byIndex[index] = stream;
      count++;
      return stream;
    } finally {
      lock.unlock();
    }
  }

  /** The stream of that number; null when there is none. */
  LinkStream get(int id) {
    int index = id >> 1;
    lock.lock();
    try {
      return (id & 1) == 1 && index < byIndex.length ? byIndex[index] : null;
    } finally {
      lock.unlock();
    }
  }

  void remove(LinkStream stream) {
    int index = stream.id() >> 1;
    lock.lock();
    try {
      if (byIndex[index] == stream) {
        byIndex[index] = null;
        count--;
      }
    } finally {
      lock.unlock();
    }
  }

  List<LinkStream> all() {
    lock.lock();
    try {
      List<LinkStream> streams = new ArrayList<>(count);
      for (LinkStream stream : byIndex) {
        if (stream != null) {
          streams.add(stream);
        }
      }
      return streams;
    } finally {
      lock.unlock();
    }
  }
}

package io.rmigate.gateway.stream;

import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Frame;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.Lock;

/**
 * The link to a session's agent, over which its streams answer. From any thread, under the locks of
 * streams.
 */
public interface AgentLink {
  /** The batch of a stream that has added no payload yet. */
  long NO_BATCH = -1;

  /** Queues a frame without payload. */
  void add(Frame frame);

  /** Queues the end of a stream, with that text where the agent takes one. */
  void close(int stream, CloseCause cause, String text);

  /**
   * Queues payload as data frames.
   *
   * @return the batch it leaves with, for {@link #hasRoom}
   */
  long addData(int stream, ByteBuffer bytes);

  /**
   * Whether payload may be queued now; otherwise {@code whenRoom} is called once there is room.
   *
   * @param lastBatch the latest batch that the stream has added to, or {@link #NO_BATCH}
   */
  boolean hasRoom(long lastBatch, Runnable whenRoom);

  /**
   * The queue leaves at the end of the round: the relay's, or the edge's, which flushes after each
   * piece it has handed in. Sends nothing within this call, because callers hold locks.
   */
  void flush();

  /**
   * Runs a step under a stream's lock, and flushes outside it. For rare events; bytes do without
   * the object that a step is.
   */
  default void flushAfter(Lock lock, Runnable step) {
    lock.lock();
    try {
      step.run();
    } finally {
      lock.unlock();
    }
    flush();
  }

  /** Sends the queue now, where no round ends. With no lock held. */
  void send();
}

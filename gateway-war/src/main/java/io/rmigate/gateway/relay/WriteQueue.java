package io.rmigate.gateway.relay;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Bytes for a channel that does not block, in their order: if nothing waits, they are written at
 * once, by the thread that has it, the rest when the loop finds the channel ready. How much that
 * may be is for the owner to bound; it costs little more than its bytes.
 *
 * <p>Guarded by the owner's lock.
 */
public final class WriteQueue {
  /** Pieces of less share a buffer, if there are several. */
  private static final int SHARED_BYTES = 4 * 1024;

  private final Deque<ByteBuffer> buffers = new ArrayDeque<>();

  public boolean isEmpty() {
    return buffers.isEmpty();
  }

  /** Keeps bytes, which belong to this from here on, while there is no channel for them. */
  void add(ByteBuffer bytes) {
    ByteBuffer last = buffers.peekLast();
    int length = bytes.remaining();
    if (last == null || length >= SHARED_BYTES) {
      buffers.add(bytes);
      return;
    }
    if (last.capacity() - last.limit() < length) {
      last = ByteBuffer.allocate(SHARED_BYTES).limit(0);
      buffers.add(last);
    }
    int end = last.limit();
    last.limit(end + length);
    last.put(end, bytes, bytes.position(), length);
  }

  /**
   * Writes as much as may leave now, and has the selector tell when the rest may.
   *
   * @return how much was written
   */
  public int write(ByteBuffer bytes, SocketChannel channel, SelectionKey key) throws IOException {
    if (!buffers.isEmpty()) {
      add(bytes); // the thread that has queued bytes writes the rest
      return 0;
    }
    int written = channel.write(bytes);
    if (bytes.hasRemaining()) {
      add(bytes);
      key.interestOpsOr(SelectionKey.OP_WRITE);
      key.selector().wakeup();
    }
    return written;
  }

  /**
   * Writes what waits, as far as the channel takes it. On the loop.
   *
   * @return how much was written
   * @throws IOException the channel is broken, and has taken nothing; one that has taken something
   *     before says so the next time
   */
  public int writeWaiting(SocketChannel channel, SelectionKey key) throws IOException {
    int written = 0;
    while (!buffers.isEmpty()) {
      ByteBuffer head = buffers.peek();
      try {
        written += channel.write(head);
      } catch (IOException broken) {
        if (written == 0) {
          throw broken;
        }
        break;
      }
      if (head.hasRemaining()) {
        break;
      }
      buffers.remove();
    }
    if (buffers.isEmpty()) {
      key.interestOpsAnd(~SelectionKey.OP_WRITE);
    } else {
      key.interestOpsOr(SelectionKey.OP_WRITE);
    }
    return written;
  }

  public void clear() {
    buffers.clear();
  }
}

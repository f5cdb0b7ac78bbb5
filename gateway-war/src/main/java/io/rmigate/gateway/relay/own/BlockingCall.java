package io.rmigate.gateway.relay.own;

import io.rmigate.gateway.relay.address.Target;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * One call that blocks the thread of its caller. The message is written to this; what is small
 * enough leaves in one piece, by {@link #send}, and not a byte before: so a message that cannot be
 * made has never been sent. Confined to one thread.
 *
 * <pre>
 *   write … ──► send ──► read the Return ──► answered: the connection serves the next call
 *      └──────────┴──────────────┴─────────► close: it is cut off, unless answered
 * </pre>
 */
public final class BlockingCall extends OutputStream {
  /** Size of the buffer; a longer message begins to leave before its end is known. */
  private static final int BUFFER_BYTES = 64 * 1024;

  private static final int FIRST_BYTES = 512;

  private final BlockingCalls calls;
  private final Object sharer;
  private final Target target;
  private final long deadlineNanos;
  private final long maxReplyBytes;

  private byte[] buffer = new byte[FIRST_BYTES];
  private int count;

  /** The pool of the connection; null until the call has a place in it. */
  private BlockingPool pool;

  private BlockingConnection connection;

  /**
   * Why there will be no Return. Object streams that fail try to write that they have: to nothing.
   */
  private OwnCallException failed;

  BlockingCall(
      BlockingCalls calls, Object sharer, Target target, long deadlineNanos, long maxReplyBytes) {
    this.calls = calls;
    this.sharer = sharer;
    this.target = target;
    this.deadlineNanos = deadlineNanos;
    this.maxReplyBytes = maxReplyBytes;
  }

  @Override
  public void write(int b) throws OwnCallException {
    if (count == buffer.length) {
      makeRoom(1);
    }
    buffer[count++] = (byte) b;
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws OwnCallException {
    int from = offset;
    int left = length;
    while (left > 0) {
      if (left > buffer.length - count) {
        makeRoom(left);
      }
      int piece = Math.min(left, buffer.length - count);
      System.arraycopy(bytes, from, buffer, count, piece);
      count += piece;
      from += piece;
      left -= piece;
    }
  }

  private void makeRoom(int wanted) throws OwnCallException {
    if (buffer.length < BUFFER_BYTES) {
      int needed = Math.max(2 * buffer.length, count + wanted);
      byte[] larger = new byte[needed < 0 || needed > BUFFER_BYTES ? BUFFER_BYTES : needed];
      System.arraycopy(buffer, 0, larger, 0, count);
      buffer = larger;
    } else if (count == buffer.length) {
      writeOut();
    }
  }

  /** Does nothing: bytes leave in {@link #send}, or when the buffer is full. */
  @Override
  public void flush() {}

  /**
   * The message is complete: sends it, or what is left of it.
   *
   * @return the Return from its first byte on; the reader must find its end
   * @throws OwnCallException now or from reading: there will be none
   */
  public InputStream send() throws OwnCallException {
    writeOut();
    buffer = null;
    return connection.reply();
  }

  /** A connection that turns out to be dead before it has taken a byte is replaced. */
  private void writeOut() throws OwnCallException {
    if (failed != null) {
      throw failed;
    }
    try {
      writeToConnection();
    } catch (OwnCallException failure) {
      failed = failure;
      throw failure;
    }
  }

  private void writeToConnection() throws OwnCallException {
    boolean first = connection == null;
    if (first) {
      pool = calls.enter(sharer, target, deadlineNanos);
      connection = calls.connection(sharer, pool, deadlineNanos, maxReplyBytes);
    }
    try {
      connection.write(buffer, count);
    } catch (OwnCallException failure) {
      if (!first || failure.failure().delivery() != DeliveryStatus.NOT_SENT) {
        throw failure;
      }
      calls.drop(connection);
      connection = calls.open(sharer, target, deadlineNanos, maxReplyBytes);
      connection.write(buffer, count);
    }
    count = 0;
  }

  /** The whole Return was read, and nothing more: the next call may use the connection. */
  public void answered() {
    calls.giveBack(pool, connection);
    connection = null;
    close();
  }

  /** Ends the call: without an answer its connection is cut off. Idempotent. */
  @Override
  public void close() {
    if (connection != null) {
      calls.drop(connection);
      connection = null;
    }
    if (pool != null) {
      pool.places().leave(sharer);
      pool = null;
    }
    buffer = null;
  }
}

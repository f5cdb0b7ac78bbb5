package io.rmigate.client.link;

import io.rmigate.protocol.ProtocolViolationException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongPredicate;

/**
 * The unread bytes of a stream, and the credit of its sender (PROTOCOL.md, section 8). Guarded by
 * the stream's lock.
 */
final class ReceiveWindow {
  private static final byte[] END = {};

  private final Deque<Piece> pieces = new ArrayDeque<>();

  /** The number of bytes of the first piece that have been read. */
  private int offset;

  /** Bytes that were read or thrown away, and can be lent to the sender again. */
  private int free;

  /** Bytes that the sender may still send. */
  private long lent = Link.GATEWAY_CREDIT_BYTES;

  /**
   * The bytes of one frame, and the place in the {@link Barrier} behind which they must stay;
   * without bytes, the end of a request.
   */
  private static final class Piece {
    private final byte[] bytes;
    private final long place;

    Piece(byte[] bytes, long place) {
      this.bytes = bytes;
      this.place = place;
    }
  }

  /**
   * Bytes have come.
   *
   * @throws ProtocolViolationException more than the sender had been lent
   */
  void came(int stream, int bytes) throws ProtocolViolationException {
    lent -= bytes;
    if (lent < 0) {
      throw new ProtocolViolationException(
          "expected no more than the credit on stream " + stream + ", got " + -lent);
    }
  }

  /** Adds bytes to be read. */
  void add(byte[] bytes, long place) {
    pieces.add(new Piece(bytes, place));
  }

  /** The request that was read ends here. */
  void addEnd(long place) {
    pieces.add(new Piece(END, place));
  }

  boolean isEmpty() {
    return pieces.isEmpty();
  }

  /** Whether the end of a request comes next. */
  boolean isAtEnd() {
    return !pieces.isEmpty() && pieces.element().bytes.length == 0;
  }

  /** Throws away the bytes up to the end of a request; whether that end has come. */
  boolean skipRequest() {
    while (!pieces.isEmpty()) {
      int length = pieces.remove().bytes.length;
      free += length - offset;
      offset = 0;
      if (length == 0) {
        return true;
      }
    }
    return false;
  }

  /** The place of the piece to be read next; there is one. */
  long place() {
    return pieces.element().place;
  }

  /** Reads a part of the first piece; there is one, with bytes. */
  int read(byte[] to, int at, int length) {
    byte[] bytes = pieces.element().bytes;
    int count = Math.min(length, bytes.length - offset);
    System.arraycopy(bytes, offset, to, at, count);
    offset += count;
    if (offset == bytes.length) {
      pieces.remove();
      offset = 0;
    }
    free += count;
    return count;
  }

  /** Bytes that can be read before the first shut place, or the end of a request. */
  int available(LongPredicate isOpen) {
    long bytes = -offset;
    for (Piece piece : pieces) {
      if (piece.bytes.length == 0 || !isOpen.test(piece.place)) {
        break;
      }
      bytes += piece.bytes.length;
    }
    return (int) Math.min(Integer.MAX_VALUE, Math.max(0, bytes));
  }

  /** Throws away all unread bytes. */
  void clear() {
    for (Piece stale : pieces) {
      free += stale.bytes.length;
    }
    free -= offset;
    pieces.clear();
    offset = 0;
  }

  /**
   * Lends the sender what is free, in halves of the window, so that it costs a frame now and then.
   *
   * @return how much; 0 while that is too little
   */
  int lend() {
    if (free < Link.GATEWAY_CREDIT_BYTES / 2) {
      return 0;
    }
    int credit = free;
    free = 0;
    lent += credit;
    return credit;
  }
}

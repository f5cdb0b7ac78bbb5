package io.rmigate.gateway.stream;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The pieces in which a request has come so far. Long ones are kept as they are, short ones
 * together, so that what is held is never more than twice what has come, and a request is copied
 * once. Confined to the thread that gathers it.
 */
public final class HeldPieces {
  /** Pieces of fewer bytes are copied together; others are kept as they are. */
  private static final int TOGETHER = 1024;

  private final List<ByteBuffer> pieces = new ArrayList<>();

  /** Short ones; null when there are none. */
  private byte[] shorts;

  private int shortBytes;
  private int size;

  /** Takes the next piece, and its ownership. */
  void add(byte[] piece) {
    add(piece, piece.length);
  }

  /** Takes the first {@code length} bytes of a piece. */
  public void add(byte[] piece, int length) {
    size = Math.addExact(size, length);
    if (length >= TOGETHER) {
      closeShorts();
      pieces.add(ByteBuffer.wrap(piece, 0, length));
      return;
    }
    if (shorts != null && length > shorts.length - shortBytes) {
      closeShorts();
    }
    if (shorts == null) {
      shorts = new byte[TOGETHER];
    }
    System.arraycopy(piece, 0, shorts, shortBytes, length);
    shortBytes += length;
  }

  private void closeShorts() {
    if (shorts != null) {
      byte[] kept = shortBytes == shorts.length ? shorts : Arrays.copyOf(shorts, shortBytes);
      pieces.add(ByteBuffer.wrap(kept));
      shorts = null;
      shortBytes = 0;
    }
  }

  /** Bytes so far. */
  public int size() {
    return size;
  }

  /** All of them, in order. */
  public byte[] toByteArray() {
    return copyOfRange(0, size);
  }

  /** The bytes from {@code from} to {@code to}, which is at most {@link #size}. */
  public byte[] copyOfRange(int from, int to) {
    ByteBuffer range = ByteBuffer.allocate(to - from);
    int at = 0;
    for (ByteBuffer piece : pieces) {
      copy(piece, at, from, range);
      at += piece.limit();
    }
    if (shorts != null) {
      copy(ByteBuffer.wrap(shorts, 0, shortBytes), at, from, range);
    }
    return range.array();
  }

  /** Copies of a piece that begins at an index as much as there is room for. */
  private static void copy(ByteBuffer piece, int at, int from, ByteBuffer to) {
    int skipped = Math.max(0, from - at);
    int length = Math.min(piece.limit() - skipped, to.remaining());
    if (length > 0) {
      to.put(piece.slice(skipped, length));
    }
  }
}

package io.rmigate.gateway.session;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The pieces in which a request has come so far. Long ones are kept as they are, short ones
 * together, so that what is held is never more than twice what has come, and a request is copied
 * once. Confined to whoever gathers it.
 */
final class HeldPieces {
  /** Also how long a piece is that is kept as it is. */
  private static final int TOGETHER = 1024;

  private final List<byte[]> pieces = new ArrayList<>();

  /** Short ones; null when there are none. */
  private byte[] shorts;

  private int shortBytes;
  private int size;

  /** Takes the next piece, which is nobody else's from now on. */
  void add(byte[] piece) {
    size = Math.addExact(size, piece.length);
    if (piece.length >= TOGETHER) {
      closeShorts();
      pieces.add(piece);
      return;
    }
    if (shorts != null && piece.length > shorts.length - shortBytes) {
      closeShorts();
    }
    if (shorts == null) {
      shorts = new byte[TOGETHER];
    }
    System.arraycopy(piece, 0, shorts, shortBytes, piece.length);
    shortBytes += piece.length;
  }

  private void closeShorts() {
    if (shorts != null) {
      pieces.add(shortBytes == shorts.length ? shorts : Arrays.copyOf(shorts, shortBytes));
      shorts = null;
      shortBytes = 0;
    }
  }

  /** Bytes so far. */
  int size() {
    return size;
  }

  /** All of them, in order. */
  byte[] toByteArray() {
    byte[] all = new byte[size];
    int at = 0;
    for (byte[] piece : pieces) {
      System.arraycopy(piece, 0, all, at, piece.length);
      at += piece.length;
    }
    if (shorts != null) {
      System.arraycopy(shorts, 0, all, at, shortBytes);
    }
    return all;
  }
}

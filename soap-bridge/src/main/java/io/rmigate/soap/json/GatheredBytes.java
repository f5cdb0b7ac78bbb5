package io.rmigate.soap.json;

import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects bytes of unknown number in pieces, so that they are in memory at most twice, and only at
 * the end. A growing array would need three times its content for a while. Holds one value;
 * confined to its thread.
 */
final class GatheredBytes extends OutputStream {
  private static final int FIRST_PIECE = 1 << 10;

  /** Far from half a region of the garbage collector G1, beyond which an array has its own. */
  private static final int LARGEST_PIECE = 64 << 10;

  private final List<byte[]> full = new ArrayList<>();
  private byte[] piece = new byte[FIRST_PIECE];
  private int inPiece;
  private int inFull;

  @Override
  public void write(int one) {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int start, int length) {
    int end = start + length;
    for (int at = start; at < end; ) {
      if (inPiece == piece.length) {
        full.add(piece);
        inFull += piece.length;
        piece = new byte[Math.min(2 * piece.length, LARGEST_PIECE)];
        inPiece = 0;
      }
      int count = Math.min(end - at, piece.length - inPiece);
      System.arraycopy(bytes, at, piece, inPiece, count);
      inPiece += count;
      at += count;
    }
  }

  /** All of them. */
  byte[] toByteArray() {
    byte[] all = new byte[inFull + inPiece];
    int at = 0;
    for (byte[] each : full) {
      System.arraycopy(each, 0, all, at, each.length);
      at += each.length;
    }
    System.arraycopy(piece, 0, all, at, inPiece);
    return all;
  }
}

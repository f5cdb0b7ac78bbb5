package io.rmigate.protocol.jrmp.message;

import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * Finds the references in a Return as it passes, in pieces of any length; see {@link
 * LiveReferenceScan}. Tells of each once, when its last byte has come. Not thread-safe.
 */
public final class LiveReferenceStream {
  /** Returns are scanned up to this length. */
  private static final int MAX_SCANNED_BYTES = 64 * 1024;

  /** A reference that began in an earlier piece is no longer than this, its factory included. */
  private static final int MAX_REFERENCE_BYTES = 2 * 1024;

  private final Consumer<LiveReference> sink;
  private int scannedBytes;

  /** The end of what has come, with room for more: a Return may come byte by byte. */
  private byte[] window = new byte[0];

  private int windowBytes;

  /** Tells {@code sink} what it finds, at once. */
  public LiveReferenceStream(Consumer<LiveReference> sink) {
    this.sink = sink;
  }

  /** More of the Return; {@code bytes} are left as they are. */
  public void onBytes(ByteBuffer bytes) {
    int count = room(bytes.remaining());
    if (count > 0) {
      makeRoomFor(count);
      bytes.get(bytes.position(), window, windowBytes, count);
      scan(count);
    }
  }

  /** More of the Return. */
  public void onBytes(byte[] bytes, int offset, int length) {
    int count = room(length);
    if (count > 0) {
      makeRoomFor(count);
      System.arraycopy(bytes, offset, window, windowBytes, count);
      scan(count);
    }
  }

  private int room(int count) {
    return Math.min(count, MAX_SCANNED_BYTES - scannedBytes);
  }

  private void scan(int count) {
    int seen = windowBytes;
    windowBytes += count;
    scannedBytes += count;
    LiveReferenceScan.scan(window, 0, windowBytes, seen, sink);
  }

  private void makeRoomFor(int count) {
    int kept = Math.min(windowBytes, MAX_REFERENCE_BYTES);
    byte[] before = window;
    if (before.length < kept + count) {
      window = new byte[kept + Math.max(count, Math.min(2 * kept, MAX_REFERENCE_BYTES))];
    }
    System.arraycopy(before, windowBytes - kept, window, 0, kept);
    windowBytes = kept;
  }
}

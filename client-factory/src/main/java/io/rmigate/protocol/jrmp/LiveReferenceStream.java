package io.rmigate.protocol.jrmp;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Finds the references in a Return as it passes, in whatever pieces it comes; see {@link
 * LiveReferenceScan}. One may be told more than once. Not thread-safe.
 */
public final class LiveReferenceStream {
  /** Returns are scanned up to this length. */
  private static final int MAX_SCANNED_BYTES = 64 * 1024;

  /** A reference that began in an earlier piece is no longer than this, its factory included. */
  private static final int MAX_REFERENCE_BYTES = 2 * 1024;

  private final Consumer<LiveReference> sink;
  private int scannedBytes;
  private byte[] tail = new byte[0];

  /** Tells {@code sink} what it finds, at once. */
  public LiveReferenceStream(Consumer<LiveReference> sink) {
    this.sink = sink;
  }

  /** More of the Return; {@code bytes} are left as they are. */
  public void onBytes(ByteBuffer bytes) {
    int count = Math.min(bytes.remaining(), MAX_SCANNED_BYTES - scannedBytes);
    if (count > 0) {
      byte[] window = Arrays.copyOf(tail, tail.length + count);
      bytes.get(bytes.position(), window, tail.length, count);
      scan(window, count);
    }
  }

  /** More of the Return. */
  public void onBytes(byte[] bytes, int offset, int length) {
    onBytes(ByteBuffer.wrap(bytes, offset, length));
  }

  private void scan(byte[] window, int count) {
    scannedBytes += count;
    LiveReferenceScan.scan(window, 0, window.length, sink);
    tail =
        Arrays.copyOfRange(window, Math.max(0, window.length - MAX_REFERENCE_BYTES), window.length);
  }
}

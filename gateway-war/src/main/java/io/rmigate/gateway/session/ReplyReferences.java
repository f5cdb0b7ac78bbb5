package io.rmigate.gateway.session;

import io.rmigate.protocol.jrmp.LiveReference;
import io.rmigate.protocol.jrmp.LiveReferenceScan;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Finds the references in a Return as it passes, in whatever pieces it comes. One may be told more
 * than once.
 *
 * <p>Guarded by {@link TunnelStream#lock()}.
 */
final class ReplyReferences {
  /** Returns are scanned up to this length. */
  private static final int MAX_SCANNED_BYTES = 64 * 1024;

  /** A reference that began in an earlier piece is no longer than this, its factory included. */
  private static final int MAX_REFERENCE_BYTES = 2 * 1024;

  private final Consumer<LiveReference> sink;
  private int scannedBytes;
  private byte[] tail = new byte[0];

  ReplyReferences(Consumer<LiveReference> sink) {
    this.sink = sink;
  }

  /** More of the Return; {@code bytes} are left as they are. */
  void onBytes(ByteBuffer bytes) {
    int count = Math.min(bytes.remaining(), MAX_SCANNED_BYTES - scannedBytes);
    if (count == 0) {
      return;
    }
    scannedBytes += count;
    byte[] window = Arrays.copyOf(tail, tail.length + count);
    bytes.get(bytes.position(), window, tail.length, count);
    LiveReferenceScan.scan(window, 0, window.length, sink);
    tail =
        Arrays.copyOfRange(window, Math.max(0, window.length - MAX_REFERENCE_BYTES), window.length);
  }
}

package io.rmigate.gateway.standalone;

import io.rmigate.gateway.config.GatewayConfig.RequestPace;
import java.util.concurrent.TimeUnit;

/**
 * Measures how fast the requests of one connection come (THREATS T38). A look at the connection,
 * now and then, says what it waits for; only time in which it waits for its client counts. Confined
 * to the thread that looks.
 */
final class RequestWatch {
  /**
   * The window in which the rate of a body is measured, in multiples of {@link
   * RequestPace#patience}.
   */
  private static final int PATIENCES_PER_WINDOW = 2;

  /** Phases of a connection. */
  enum Phase {
    /** The head of a request, and the TLS handshake before the first one. */
    HEAD,
    /** Bytes of a body. */
    BODY,
    /** The next request, an answer, or a tunnel's frames: other bounds hold for these. */
    OTHER
  }

  private Phase phase;
  private long request;
  private long lookNanos;

  /** When the head was first seen to be incomplete. */
  private long headNanos;

  private long bodyBytes;

  /** How long the body has brought no byte. */
  private long silentNanos;

  /** How long the body has been waited for since {@code windowBytes}. */
  private long windowNanos;

  private long windowBytes;

  /**
   * Takes a look into account.
   *
   * @param now as {@link System#nanoTime}
   * @param number tells the requests of the connection apart
   * @param bytes that have come of the request's body
   * @return whether the request comes more slowly than it may
   */
  boolean isTooSlow(long now, Phase current, long number, long bytes, RequestPace pace) {
    boolean isAnother = phase == null || number != request;
    if (isAnother || (current == Phase.HEAD) != (phase == Phase.HEAD)) {
      begin(now, bytes);
    }
    long elapsed = now - lookNanos;
    phase = current;
    request = number;
    lookNanos = now;
    return switch (current) {
      case HEAD -> now - headNanos >= pace.patience().toNanos();
      case BODY -> isBodyTooSlow(elapsed, bytes, pace);
      case OTHER -> {
        silentNanos = 0;
        yield false;
      }
    };
  }

  /** The next look is taken for the first one. */
  void startAgain() {
    phase = null;
  }

  private void begin(long now, long bytes) {
    lookNanos = now;
    headNanos = now;
    bodyBytes = bytes;
    silentNanos = 0;
    windowNanos = 0;
    windowBytes = bytes;
  }

  private boolean isBodyTooSlow(long elapsed, long bytes, RequestPace pace) {
    silentNanos = bytes == bodyBytes ? silentNanos + elapsed : 0;
    windowNanos += elapsed;
    bodyBytes = bytes;
    long patience = pace.patience().toNanos();
    if (silentNanos >= patience) {
      return true;
    }
    if (windowNanos < PATIENCES_PER_WINDOW * patience) {
      return false;
    }
    double seconds = (double) windowNanos / TimeUnit.SECONDS.toNanos(1);
    boolean slow = bytes - windowBytes < pace.minRate() * seconds;
    windowNanos = 0;
    windowBytes = bytes;
    return slow;
  }
}

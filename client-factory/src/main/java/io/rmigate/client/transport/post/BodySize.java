package io.rmigate.client.transport.post;

import io.rmigate.protocol.post.Post;
import java.util.concurrent.TimeUnit;

/**
 * The most bytes that one request carries. Few at first, so that a slow network has delivered them
 * long before an HTTP proxy times out; more where large requests are answered soon. Thread-safe.
 */
final class BodySize {
  static final int LEAST_BYTES = 16 * 1024;

  private static final long SOON_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(3);

  private volatile int bytes = LEAST_BYTES;

  int bytes() {
    return bytes;
  }

  /**
   * A request has been answered.
   *
   * @param length of its body
   * @param nanos from its beginning to the answer
   */
  void answered(int length, long nanos) {
    if (length >= bytes && nanos < SOON_NANOS) {
      bytes = Math.min(2 * bytes, Post.MAX_REQUEST_BYTES);
    } else if (length >= LEAST_BYTES && nanos > LATE_NANOS) {
      bytes = LEAST_BYTES;
    }
  }
}

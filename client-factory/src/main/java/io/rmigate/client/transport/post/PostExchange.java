package io.rmigate.client.transport.post;

import io.rmigate.client.transport.http.HttpConnection;
import io.rmigate.protocol.post.Post;

/**
 * One request of a {@link PostTransport}, until its answer has come. Confined to the thread that
 * sends it, then to the thread that reads its answer; any thread may close {@link #connection}.
 */
final class PostExchange {
  private final long number;
  private final long received;
  private final byte[] bytes;

  /** On which it was sent last. */
  private volatile HttpConnection connection;

  private long sentNanos;
  private int attempts;

  /**
   * @param received see {@link io.rmigate.protocol.post.PostRequest}
   * @param bytes of the stream; none: it only waits
   */
  PostExchange(long number, long received, byte[] bytes) {
    this.number = number;
    this.received = received;
    this.bytes = bytes;
  }

  long number() {
    return number;
  }

  long received() {
    return received;
  }

  byte[] bytes() {
    return bytes;
  }

  /** Whether it brings nothing. */
  boolean isEmpty() {
    return bytes.length == 0;
  }

  void sentOn(HttpConnection over) {
    connection = over;
    sentNanos = System.nanoTime();
    attempts++;
  }

  /** How often it was sent. */
  int attempts() {
    return attempts;
  }

  HttpConnection connection() {
    return connection;
  }

  /** Since it was sent last. */
  long ageNanos() {
    return System.nanoTime() - sentNanos;
  }

  /** The largest answer there may be. */
  static int mostAnswerBytes() {
    return Post.MAX_HEAD_BYTES + Post.MAX_ANSWER_BYTES;
  }
}

package io.rmigate.gateway.edge.post;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * What a connection knows of one request: first what it has brought, then who waits for its answer,
 * at last the answer. Guarded by the connection's lock.
 */
final class PostSlot {
  /** Requests with one number, sent again by what stands between; the latest are the ones alive. */
  private static final int MAX_REPLIES = 3;

  private final long number;
  private final Deque<PostReply> replies = new ArrayDeque<>(1);
  private final long holdMillis;

  /** The bytes of the request; null once they have been taken. */
  private byte[] bytes;

  /** The time until which the request may wait; meaningful once its bytes have been taken. */
  private long deadlineNanos;

  /** The answer to the request; null while there is none. */
  private byte[] answer;

  PostSlot(long number, long holdMillis, byte[] bytes) {
    this.number = number;
    this.holdMillis = holdMillis;
    this.bytes = bytes;
  }

  long number() {
    return number;
  }

  /**
   * Adds a waiting reply. Returns the oldest one if too many wait for the same answer, else null.
   */
  PostReply add(PostReply reply) {
    replies.addLast(reply);
    return replies.size() > MAX_REPLIES ? replies.removeFirst() : null;
  }

  /** Takes the bytes of the request, once. The request waits for its answer from here on. */
  byte[] take(long nowNanos, long holdNanos) {
    byte[] taken = bytes;
    bytes = null;
    deadlineNanos = nowNanos + Math.min(holdNanos, nanos(holdMillis));
    return taken;
  }

  /** The request has come again, and may want a shorter wait. */
  void shorten(long nowNanos, long wishedMillis) {
    if (bytes == null && deadlineNanos - nowNanos > nanos(wishedMillis)) {
      deadlineNanos = nowNanos + nanos(wishedMillis);
    }
  }

  private static long nanos(long wishedMillis) {
    return wishedMillis == 0 ? Long.MAX_VALUE : TimeUnit.MILLISECONDS.toNanos(wishedMillis);
  }

  boolean isDue(long nowNanos) {
    return nowNanos - deadlineNanos >= 0;
  }

  /** The answer; null while there is none. */
  byte[] answer() {
    return answer;
  }

  /** Keeps the answer. Returns the replies that wait for it. */
  Deque<PostReply> answerWith(byte[] body) {
    answer = body;
    Deque<PostReply> waiting = new ArrayDeque<>(replies);
    replies.clear();
    return waiting;
  }
}

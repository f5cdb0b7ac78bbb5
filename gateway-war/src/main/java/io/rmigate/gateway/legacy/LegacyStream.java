package io.rmigate.gateway.legacy;

import io.rmigate.protocol.jrmp.EndpointId;

/**
 * One stream of a client's session. Carries one Call at a time and rests in between, so that the
 * next one finds the server's handshake done. Guarded by its {@link LegacyClient}'s lock.
 */
final class LegacyStream {
  private final int number;
  private final EndpointId target;

  /** How many requests have been begun. */
  private long requests;

  /** Null while the stream rests. */
  private LegacyAnswer answer;

  /** Whether bytes of the answer have come. */
  private boolean answering;

  private long restsSinceNanos;

  LegacyStream(int number, EndpointId target) {
    this.number = number;
    this.target = target;
  }

  int number() {
    return number;
  }

  EndpointId target() {
    return target;
  }

  /** Number of the Call that was begun last, counted from 1. */
  long request() {
    return requests;
  }

  /** Null while the stream rests. */
  LegacyAnswer answer() {
    return answer;
  }

  /** A Call is made, of which this is to hear. */
  void begin(LegacyAnswer nextAnswer) {
    requests++;
    answer = nextAnswer;
    answering = false;
  }

  /** Bytes of the answer have come. */
  void answers() {
    answering = true;
  }

  /** Whether bytes of the answer to the latest Call have come. */
  boolean isAnswering() {
    return answering;
  }

  /** The Call is answered, however. */
  void rest(long now) {
    answer = null;
    restsSinceNanos = now;
  }

  long restsSinceNanos() {
    return restsSinceNanos;
  }
}

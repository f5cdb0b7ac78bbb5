package io.rmigate.gateway.legacy;

import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.tunnel.FrameOutput;
import io.rmigate.protocol.tunnel.Tunnel;

/**
 * One stream of a client's session. Carries one Call at a time and rests in between, so that the
 * next one finds the server's handshake done. Guarded by its {@link LegacyClient}'s lock.
 */
final class LegacyStream {
  private final int number;
  private final EndpointId target;

  /** Bytes that the gateway still takes. */
  private int credit;

  /** How many requests have been begun. */
  private long requests;

  private byte[] call = {};
  private int sent;

  /** Null while the stream rests. */
  private LegacyAnswer answer;

  private long restsSinceNanos;

  LegacyStream(int number, EndpointId target, int credit) {
    this.number = number;
    this.target = target;
    this.credit = credit;
  }

  int number() {
    return number;
  }

  EndpointId target() {
    return target;
  }

  /** Of the Call that has been begun last, counted from 1. */
  long request() {
    return requests;
  }

  /** Null while the stream rests. */
  LegacyAnswer answer() {
    return answer;
  }

  /** A Call is to be made; {@link #send} makes it. */
  void begin(byte[] nextCall, LegacyAnswer nextAnswer) {
    requests++;
    call = nextCall;
    sent = 0;
    answer = nextAnswer;
  }

  void onCredit(int moreBytes) {
    credit += moreBytes;
  }

  /** As much of the Call as the gateway takes. */
  void send(FrameOutput out) {
    while (sent < call.length && credit > 0) {
      int piece = Math.min(Math.min(credit, Tunnel.MAX_BODY_BYTES), call.length - sent);
      boolean last = sent + piece == call.length;
      out.data(number, last, call, sent, piece);
      sent += piece;
      credit -= piece;
    }
  }

  /** The Call is answered, however; what is left of it has no reader. */
  void rest(FrameOutput out, long now) {
    if (sent < call.length) {
      out.data(number, true, call, sent, 0);
    }
    call = new byte[0];
    sent = 0;
    answer = null;
    restsSinceNanos = now;
  }

  long restsSinceNanos() {
    return restsSinceNanos;
  }
}

package io.rmigate.gateway.relay.own;

import io.rmigate.gateway.relay.Containment;
import io.rmigate.protocol.jrmp.message.ReturnHeader;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One message of the gateway's own and who hears of it. Confined to its loop.
 *
 * @param sharer on whose behalf; the waiting is shared fairly between them
 * @param payer whose share of what looks names up a new connection for it takes
 * @param result null for a message that has no answer
 * @param deadlineNanos on the clock of {@link System#nanoTime}
 */
@SuppressWarnings("ArrayRecordComponent") // wire bytes: identity, not value
record OwnCall(
    Object sharer,
    Object payer,
    byte[] message,
    OwnCalls.Result result,
    long deadlineNanos,
    OwnCallListener listener) {
  private static final Logger LOG = LoggerFactory.getLogger(OwnCall.class);
  private static final byte[] NO_ANSWER = {};

  static OwnCall oneWay(
      Object sharer, Object payer, byte[] message, long deadlineNanos, Runnable whenOver) {
    OwnCallListener listener =
        new OwnCallListener() {
          @Override
          public void onReturn(byte[] none) {
            whenOver.run();
          }

          @Override
          public void onFailure(OwnCallFailure failure) {
            LOG.debug("message without an answer not delivered: {}", failure);
            whenOver.run();
          }
        };
    return new OwnCall(sharer, payer, message, null, deadlineNanos, listener);
  }

  boolean isOneWay() {
    return result == null;
  }

  /**
   * Whether bytes that could be a whole Return are one: without its object it could be as well.
   *
   * @param end as the grammar has found it
   */
  boolean isWhole(byte[] message, int end) {
    Optional<ReturnHeader> header = ReturnHeader.decode(message, 0, end);
    return header.isPresent()
        && (end > header.get().end()
            || (!header.get().exceptional() && result == OwnCalls.Result.NO_OBJECT));
  }

  /** The whole of a message without an answer is written. */
  void written() {
    succeed(NO_ANSWER);
  }

  void succeed(byte[] reply) {
    try {
      listener.onReturn(reply);
    } catch (Throwable unexpected) {
      Containment.contain("a Return", unexpected, () -> {});
    }
  }

  void fail(OwnCallFailure failure) {
    try {
      listener.onFailure(failure);
    } catch (Throwable unexpected) {
      Containment.contain(failure, unexpected, () -> {});
    }
  }
}

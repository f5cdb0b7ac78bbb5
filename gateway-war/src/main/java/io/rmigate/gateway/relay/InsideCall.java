package io.rmigate.gateway.relay;

import io.rmigate.protocol.jrmp.ReturnHeader;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One message of the gateway's own and who hears of it. Confined to its loop.
 *
 * @param result null for a message that has no answer
 * @param deadlineNanos on the clock of {@link System#nanoTime}
 */
@SuppressWarnings("ArrayRecordComponent") // wire bytes: identity, not value
record InsideCall(
    byte[] message, InsideCalls.Result result, long deadlineNanos, InsideCallListener listener) {
  private static final Logger LOG = LoggerFactory.getLogger(InsideCall.class);

  private static final InsideCallListener NOBODY =
      new InsideCallListener() {
        @Override
        public void onReturn(byte[] message) {
          throw new AssertionError("nothing answers a message without an answer");
        }

        @Override
        public void onFailure(InsideFailure failure) {
          LOG.debug("message without an answer not delivered: {}", failure);
        }
      };

  static InsideCall oneWay(byte[] message, long deadlineNanos) {
    return new InsideCall(message, null, deadlineNanos, NOBODY);
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
            || (!header.get().exceptional() && result == InsideCalls.Result.NO_OBJECT));
  }

  void succeed(byte[] reply) {
    try {
      listener.onReturn(reply);
    } catch (RuntimeException unexpected) {
      LOG.error("unexpected failure after a Return", unexpected);
    }
  }

  void fail(InsideFailure failure) {
    try {
      listener.onFailure(failure);
    } catch (RuntimeException unexpected) {
      LOG.error("unexpected failure after {}", failure, unexpected);
    }
  }
}

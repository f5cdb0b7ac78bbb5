package io.rmigate.gateway.relay.own;

import io.rmigate.protocol.tunnel.RefusalReason;
import java.util.Optional;

/**
 * Why one of the gateway's own calls has no Return.
 *
 * @param kind what to think of the target
 * @param delivery whether the server may have executed it
 * @param refusal why no connection could be had, when that is why
 * @param text one line for logs
 */
public record OwnCallFailure(
    Kind kind, DeliveryStatus delivery, Optional<RefusalReason> refusal, String text) {

  /** Where the failure lies. */
  public enum Kind {
    /** Too many calls wait for this target. Says nothing of the target; never sent. */
    OVERLOADED,
    /** No connection could be had; never sent. */
    REFUSED,
    /** No Return in time. */
    LATE,
    /** The server closed the connection, or it broke. */
    CLOSED,
    /** The answer is no Return, has no visible end, or is longer than permitted. */
    NO_RETURN
  }
}

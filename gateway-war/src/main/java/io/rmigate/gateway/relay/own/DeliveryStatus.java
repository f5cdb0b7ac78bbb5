package io.rmigate.gateway.relay.own;

/** What is known of a message that failed. */
public enum DeliveryStatus {
  /** No byte of it has been written: it may be sent again. */
  NOT_SENT,
  /** The server may have executed it. */
  POSSIBLY_DELIVERED
}

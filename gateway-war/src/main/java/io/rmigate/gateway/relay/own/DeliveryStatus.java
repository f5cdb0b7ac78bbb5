package io.rmigate.gateway.relay.own;

/** Whether a failed message may have reached its server. */
public enum DeliveryStatus {
  /** No byte of it has been written: it may be sent again. */
  NOT_SENT,
  /** The server may have executed it. */
  POSSIBLY_DELIVERED
}

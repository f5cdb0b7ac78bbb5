package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.ProtocolViolationException;
import java.util.Arrays;
import java.util.Optional;

/** Why there is no binding to hold. The first six are answers like those to requests. */
public enum UnboundReason {
  /** See {@link RefusalReason#UNKNOWN_HOST}. */
  UNKNOWN_HOST(0x00),
  /** See {@link RefusalReason#CONNECTION_REFUSED}. */
  CONNECTION_REFUSED(0x01),
  /** See {@link RefusalReason#CONNECT_FAILED}. */
  CONNECT_FAILED(0x02),
  /** See {@link RefusalReason#NOT_JRMP}. */
  NOT_JRMP(0x03),
  /** See {@link RefusalReason#TARGET_NOT_PERMITTED}. */
  TARGET_NOT_PERMITTED(0x04),
  /** See {@link RefusalReason#OPERATION_NOT_PERMITTED}. */
  OPERATION_NOT_PERMITTED(0x05),
  /** The registry has answered with an exception, which comes along. */
  NOT_BOUND(0x06),
  /** The gateway does not watch this name, or could not ask: the agent asks over a stream. */
  NOT_CACHEABLE(0x07),
  /** Pushed: another object is bound now, or might be. */
  CHANGED(0x08),
  /** Pushed: nothing is bound any more, or the registry does not answer. */
  GONE(0x09);

  private static final UnboundReason[] BY_CODE = values();

  private final int code;

  UnboundReason(int code) {
    this.code = code;
  }

  /** The byte on the wire. */
  public int code() {
    return code;
  }

  /** Whether the gateway sends it unasked: the binding that the agent holds is void. */
  public boolean isPush() {
    return this == CHANGED || this == GONE;
  }

  /** The reason as it is given for requests, if it is one of those. */
  public Optional<RefusalReason> refusal() {
    return Arrays.stream(RefusalReason.values()).filter(r -> r.name().equals(name())).findFirst();
  }

  /** The reason for a name that is called like a reason for requests. */
  public static UnboundReason of(RefusalReason refusal) {
    return valueOf(refusal.name());
  }

  static UnboundReason of(int code) throws ProtocolViolationException {
    if (code >= BY_CODE.length) {
      throw new ProtocolViolationException(
          String.format("expected a reason of UNBOUND, got 0x%02x", code));
    }
    return BY_CODE[code];
  }
}

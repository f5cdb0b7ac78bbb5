package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.ProtocolViolationException;

/**
 * Why a request certainly never reached an RMI server. The agent turns each into the exception that
 * plain RMI would have thrown (JRMP.md 2.4; {@code java.rmi} package documentation).
 */
public enum RefusalReason {
  /** The host's name is unknown inside: {@code java.rmi.UnknownHostException}. */
  UNKNOWN_HOST(0x00),
  /** No process listens there: {@code java.rmi.ConnectException}. */
  CONNECTION_REFUSED(0x01),
  /** Timed out, no route, reset: {@code java.rmi.ConnectIOException}. */
  CONNECT_FAILED(0x02),
  /** Something listens there that is no RMI server: {@code java.rmi.ConnectIOException}. */
  NOT_JRMP(0x03),
  /** Policy does not allow this target: {@code java.rmi.ConnectException}. */
  TARGET_NOT_PERMITTED(0x04),
  /** Policy does not allow this operation: {@code java.rmi.AccessException} from the server. */
  OPERATION_NOT_PERMITTED(0x05),
  /**
   * The deadline of the call has passed before there was a connection to the server: {@code
   * java.rmi.ConnectIOException}.
   */
  CALL_TIMEOUT(0x06),
  /**
   * The deadline of the call has passed before all of it had come: {@code
   * java.rmi.ConnectIOException}.
   */
  CALL_LATE(0x07),
  /**
   * A call before it in its sequence has not returned normally: {@code
   * java.rmi.ConnectIOException}.
   */
  SEQUENCE_OVER(0x08);

  private static final RefusalReason[] BY_CODE = values();

  private final int code;

  RefusalReason(int code) {
    this.code = code;
  }

  /** The byte on the wire. */
  public int code() {
    return code;
  }

  static RefusalReason of(int code) throws ProtocolViolationException {
    if (code >= BY_CODE.length) {
      throw new ProtocolViolationException(
          String.format("expected a refusal reason, got 0x%02x", code));
    }
    return BY_CODE[code];
  }
}

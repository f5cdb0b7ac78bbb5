package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.ProtocolViolationException;

/**
 * Why a session or a stream ended: a word for logs, a label for metrics, a code on the wire. Every
 * ending is one of these.
 */
public enum CloseCause {
  /** The application closed it. */
  DONE(0x00, "closed by the application"),
  /** The peer sent what no honest peer sends. */
  PROTOCOL_VIOLATION(0x01, "the protocol was broken"),
  /** No common version of the link protocol. */
  UNSUPPORTED_VERSION(0x02, "no common version of the link protocol"),
  /** The link was silent for three heartbeats. */
  SILENCE(0x03, "nothing was heard for three heartbeats"),
  /** The transport connection failed or ended without a goodbye. Never sent. */
  LINK_LOST(0x04, "the transport connection was lost"),
  /** The gateway is being shut down. */
  DRAINING(0x05, "the gateway is shutting down"),
  /** No hello came in time. */
  HELLO_TIMEOUT(0x06, "no hello came in time"),
  /** The peer did not take bytes for too long. */
  SLOW_LINK(0x07, "the peer took no bytes for too long"),
  /** A limit on sessions was reached. */
  TOO_MANY_SESSIONS(0x08, "too many sessions"),
  /** A limit on streams was reached. */
  TOO_MANY_STREAMS(0x09, "too many streams in one session"),
  /** The RMI server closed the connection, or it was lost. */
  SERVER_CLOSED(0x0A, "the RMI server closed the connection"),
  /** The bytes toward the server are not exactly one JRMP message per request. */
  BAD_REQUEST(0x0B, "a request was not exactly one JRMP message"),
  /** Policy does not allow it. */
  NOT_PERMITTED(0x0C, "not permitted by the gateway's policy"),
  /** We broke our own rules; the log of the side that says so has the details. */
  INTERNAL_ERROR(0x0D, "an internal error"),
  /** The session to be resumed is not known to this gateway, or not any more. */
  UNKNOWN_SESSION(0x0E, "the session is not known to this gateway"),
  /** The deadline of a call has passed, and its server may have it. */
  CALL_TIMEOUT(0x0F, "the call took longer than it may"),
  /** The part of a message that would have to be kept finds no room now. */
  NO_ROOM(0x10, "the gateway has no room now for what it must keep of so long a message");

  private static final CloseCause[] BY_CODE = values();

  private final int code;
  private final String sentence;

  CloseCause(int code, String sentence) {
    this.code = code;
    this.sentence = sentence;
  }

  /** The byte on the wire. */
  public int code() {
    return code;
  }

  /** The cause in words, for people. */
  public String sentence() {
    return sentence;
  }

  static CloseCause of(int code) throws ProtocolViolationException {
    if (code >= BY_CODE.length) {
      throw new ProtocolViolationException(
          String.format("expected a close cause, got 0x%02x", code));
    }
    return BY_CODE[code];
  }
}

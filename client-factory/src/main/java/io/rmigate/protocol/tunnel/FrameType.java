package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.ProtocolViolationException;

/**
 * Every frame type with its number. A number that stands in PROTOCOL.md as reserved has no constant
 * here until a version or feature uses it; receiving one is a violation.
 */
public enum FrameType {
  HELLO(0x01, Scope.SESSION),
  WELCOME(0x02, Scope.SESSION),
  GOODBYE(0x03, Scope.SESSION),
  HEARTBEAT(0x04, Scope.SESSION),
  HEARTBEAT_ACK(0x05, Scope.SESSION),
  ACK(0x06, Scope.SESSION),
  DRAIN(0x07, Scope.SESSION),
  REPORT(0x08, Scope.SESSION),
  LEAVING(0x09, Scope.SESSION),
  OPEN(0x10, Scope.STREAM),
  DATA(0x11, Scope.STREAM),
  DATA_LAST(0x12, Scope.STREAM),
  RETURN_END(0x13, Scope.STREAM),
  REFUSED(0x14, Scope.STREAM),
  CREDIT(0x15, Scope.STREAM),
  CLOSE(0x16, Scope.STREAM),
  DEADLINE(0x17, Scope.STREAM),
  OPEN_RAW(0x18, Scope.STREAM),
  SEQUENCE(0x19, Scope.STREAM),
  DIRTY(0x20, Scope.SESSION),
  CLEAN(0x21, Scope.SESSION),
  DGC_ACK(0x22, Scope.SESSION),
  LEASED(0x23, Scope.SESSION),
  LOOKUP(0x28, Scope.SESSION),
  BOUND(0x29, Scope.SESSION),
  UNBOUND(0x2A, Scope.SESSION),
  FORGOT(0x2B, Scope.SESSION),
  LISTEN(0x30, Scope.SESSION),
  LISTENING(0x31, Scope.SESSION),
  UNLISTEN(0x32, Scope.SESSION),
  ACCEPT(0x33, Scope.SESSION),
  HOLD(0x34, Scope.SESSION),
  RELEASE(0x35, Scope.SESSION),
  GRANT(0x38, Scope.SESSION),
  CODED(0x40, Scope.SESSION),
  CODED_FRESH(0x41, Scope.SESSION),
  CODING(0x42, Scope.SESSION);

  /** Whether a frame carries a stream number. */
  public enum Scope {
    SESSION,
    STREAM
  }

  private static final FrameType[] BY_CODE = new FrameType[256];

  static {
    for (FrameType type : values()) {
      BY_CODE[type.code] = type;
    }
  }

  private final int code;
  private final Scope scope;

  FrameType(int code, Scope scope) {
    this.code = code;
    this.scope = scope;
  }

  /** The byte on the wire. */
  public int code() {
    return code;
  }

  /** Whether the frame belongs to a stream or to the session. */
  public Scope scope() {
    return scope;
  }

  /** A switch and not a reference to a method in each constant: 36 of those take 30 ms to link. */
  Frame decode(int stream, FrameInput body) throws ProtocolViolationException {
    return switch (this) {
      case HELLO -> Hello.decode(stream, body);
      case WELCOME -> Welcome.decode(stream, body);
      case GOODBYE -> Goodbye.decode(stream, body);
      case HEARTBEAT -> Heartbeat.decode(stream, body);
      case HEARTBEAT_ACK -> HeartbeatAck.decode(stream, body);
      case ACK -> Ack.decode(stream, body);
      case DRAIN -> Drain.decode(stream, body);
      case LEAVING -> Leaving.decode(stream, body);
      case REPORT -> Report.decode(stream, body);
      case OPEN -> Open.decode(stream, body);
      case DATA -> Data.decode(stream, body);
      case DATA_LAST -> Data.decodeLast(stream, body);
      case RETURN_END -> ReturnEnd.decode(stream, body);
      case REFUSED -> Refused.decode(stream, body);
      case CREDIT -> Credit.decode(stream, body);
      case CLOSE -> Close.decode(stream, body);
      case DEADLINE -> Deadline.decode(stream, body);
      case OPEN_RAW -> OpenRaw.decode(stream, body);
      case SEQUENCE -> Sequence.decode(stream, body);
      case DIRTY -> Dirty.decode(stream, body);
      case CLEAN -> Clean.decode(stream, body);
      case DGC_ACK -> DgcAck.decode(stream, body);
      case LEASED -> Leased.decode(stream, body);
      case LOOKUP -> Lookup.decode(stream, body);
      case BOUND -> Bound.decode(stream, body);
      case UNBOUND -> Unbound.decode(stream, body);
      case FORGOT -> Forgot.decode(stream, body);
      case LISTEN -> Listen.decode(stream, body);
      case LISTENING -> Listening.decode(stream, body);
      case UNLISTEN -> Unlisten.decode(stream, body);
      case ACCEPT -> Accept.decode(stream, body);
      case HOLD -> Hold.decode(stream, body);
      case RELEASE -> Release.decode(stream, body);
      case GRANT -> Grant.decode(stream, body);
      case CODED -> Coded.decode(stream, body);
      case CODED_FRESH -> Coded.decodeFresh(stream, body);
      case CODING -> Coding.decode(stream, body);
    };
  }

  static FrameType of(int code) throws ProtocolViolationException {
    FrameType type = BY_CODE[code & 0xFF];
    if (type == null) {
      throw new ProtocolViolationException(
          String.format("expected a frame type of version 1, got 0x%02x", code & 0xFF));
    }
    return type;
  }
}

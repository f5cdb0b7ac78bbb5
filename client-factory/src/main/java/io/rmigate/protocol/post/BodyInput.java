package io.rmigate.protocol.post;

import io.rmigate.protocol.ProtocolViolationException;
import java.util.Arrays;

/** Reads a body from its beginning. Confined to one thread. */
final class BodyInput {
  private final byte[] body;
  private final int end;
  private int position;

  BodyInput(byte[] body, int length) {
    this.body = body;
    this.end = length;
  }

  int u8() throws ProtocolViolationException {
    if (position == end) {
      throw new ProtocolViolationException("expected a byte, got the end of the body");
    }
    return body[position++] & 0xFF;
  }

  void version() throws ProtocolViolationException {
    int version = u8();
    if (version != Post.VERSION) {
      throw new ProtocolViolationException(
          "expected a body of version 0x%02x, got 0x%02x".formatted(Post.VERSION, version));
    }
  }

  ConnectionId id() throws ProtocolViolationException {
    if (end - position < Post.ID_BYTES) {
      throw new ProtocolViolationException(
          "expected the name of a connection, got 0x%x bytes".formatted(end - position));
    }
    ConnectionId id = ConnectionId.of(body, position);
    position += Post.ID_BYTES;
    return id;
  }

  /** Section 3 of PROTOCOL.md; at most 2^63 − 1. */
  long varint() throws ProtocolViolationException {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE - 1; shift += 7) {
      int next = u8();
      value |= (long) (next & 0x7F) << shift;
      if (next < 0x80) {
        if (next == 0 && shift > 0) {
          throw new ProtocolViolationException("expected a varint, got a superfluous zero byte");
        }
        return value;
      }
    }
    throw new ProtocolViolationException("expected a varint of at most 63 bits, got more");
  }

  /** Length and bytes, which must be the rest. */
  byte[] rest(int most) throws ProtocolViolationException {
    long length = varint();
    if (length > most || length != end - position) {
      throw new ProtocolViolationException(
          "expected 0x%x bytes, of at most 0x%x, got 0x%x".formatted(length, most, end - position));
    }
    return Arrays.copyOfRange(body, position, end);
  }
}

package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.ProtocolViolationException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A cursor over one frame body. Every read checks what is left first, so a length that lies is a
 * violation before anything is allocated. Confined to the thread that reads the link.
 */
final class FrameInput {
  private final byte[] bytes;
  private final int end;

  /** Whether the bytes belong to the frame alone. */
  private final boolean own;

  private int position;

  FrameInput(byte[] bytes, int from, int end) {
    this(bytes, from, end, false);
  }

  private FrameInput(byte[] bytes, int from, int end, boolean own) {
    this.bytes = bytes;
    this.position = from;
    this.end = end;
    this.own = own;
  }

  /** A cursor over a body that belongs to the frame from now on, and need not be copied. */
  static FrameInput of(byte[] body) {
    return new FrameInput(body, 0, body.length, true);
  }

  int remaining() {
    return end - position;
  }

  int u8() throws ProtocolViolationException {
    require(1, "one byte");
    return bytes[position++] & 0xFF;
  }

  int u16() throws ProtocolViolationException {
    return (u8() << 8) | u8();
  }

  int u32() throws ProtocolViolationException {
    return (u16() << 16) | u16();
  }

  long u64() throws ProtocolViolationException {
    return ((long) u32() << 32) | (u32() & 0xFFFF_FFFFL);
  }

  /** A varint of at most {@code max}, which fits an int. */
  int varint(int max) throws ProtocolViolationException {
    return (int) varlong(max);
  }

  /** A varint of at most {@code max}. */
  long varlong(long max) throws ProtocolViolationException {
    long value = 0;
    for (int shift = 0; shift < 63; shift += 7) {
      int next = u8();
      value |= (long) (next & 0x7F) << shift;
      if (next < 0x80) {
        if (next == 0 && shift > 0) {
          throw new ProtocolViolationException("expected a varint without superfluous bytes");
        }
        if (value > max) {
          throw new ProtocolViolationException(
              "expected a number of at most 0x%x, got 0x%x".formatted(max, value));
        }
        return value;
      }
    }
    throw new ProtocolViolationException("expected a varint of at most nine bytes");
  }

  byte[] bytes(int length) throws ProtocolViolationException {
    require(length, "bytes");
    byte[] copy = Arrays.copyOfRange(bytes, position, position + length);
    position += length;
    return copy;
  }

  byte[] rest() {
    byte[] copy =
        own && position == 0 && end == bytes.length
            ? bytes
            : Arrays.copyOfRange(bytes, position, end);
    position = end;
    return copy;
  }

  byte[] opaque(int max) throws ProtocolViolationException {
    return bytes(varint(max));
  }

  String text() throws ProtocolViolationException {
    int length = varint(Tunnel.MAX_TEXT_BYTES);
    require(length, "bytes of text");
    ByteBuffer slice = ByteBuffer.wrap(bytes, position, length);
    position += length;
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(slice).toString();
    } catch (CharacterCodingException notUtf8) {
      throw new ProtocolViolationException("expected text in UTF-8");
    }
  }

  Map<String, String> properties() throws ProtocolViolationException {
    int count = varint(Tunnel.MAX_PROPERTIES);
    Map<String, String> properties = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      String key = text();
      if (properties.putIfAbsent(key, text()) != null) {
        throw new ProtocolViolationException("expected each property once, got two of one name");
      }
    }
    return properties;
  }

  void expectEnd(FrameType type) throws ProtocolViolationException {
    if (position != end) {
      throw new ProtocolViolationException(
          "expected the end of " + type + ", got " + (end - position) + " more bytes");
    }
  }

  private void require(int count, String what) throws ProtocolViolationException {
    if (end - position < count) {
      throw new ProtocolViolationException(
          "expected " + count + " " + what + " in the body, got " + (end - position));
    }
  }
}

package io.rmigate.protocol.tunnel;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;

/**
 * A growing buffer of encoded frames, ready to be written to a transport as one unit. Not
 * thread-safe: the owner of a link's outbound side guards it.
 */
public final class FrameOutput {
  private byte[] bytes;
  private int size;

  /** An empty buffer with room for {@code capacity} bytes before it grows. */
  public FrameOutput(int capacity) {
    bytes = new byte[capacity];
  }

  /** Appends one whole frame. */
  public void append(Frame frame) {
    if (frame instanceof Data data) {
      data(data.stream(), data.endOfRequest(), data.bytes(), 0, data.bytes().length);
      return;
    }
    FrameOutput body = new FrameOutput(64);
    frame.encodeBody(body);
    header(frame.type(), frame.stream(), body.size);
    raw(body.bytes, 0, body.size);
  }

  /** Appends a {@link Data} frame without making one: the hot path of both ends. */
  public void data(int stream, boolean endOfRequest, byte[] from, int offset, int length) {
    header(endOfRequest ? FrameType.DATA_LAST : FrameType.DATA, stream, length);
    raw(from, offset, length);
  }

  /** Appends a {@link Data} frame of the next {@code length} bytes of {@code from}. */
  public void data(int stream, boolean endOfRequest, ByteBuffer from, int length) {
    header(endOfRequest ? FrameType.DATA_LAST : FrameType.DATA, stream, length);
    from.get(bytes, size, length); // header() has made room
    size += length;
  }

  /** Appends a {@link Coded} frame without making one. */
  public void coded(boolean fresh, byte[] from, int offset, int length) {
    header(fresh ? FrameType.CODED_FRESH : FrameType.CODED, Tunnel.SESSION, length);
    raw(from, offset, length);
  }

  /** Appends all frames of {@code other}. */
  public void append(FrameOutput other) {
    raw(other.bytes, 0, other.size);
  }

  private void header(FrameType type, int stream, int bodyBytes) {
    if (bodyBytes > Tunnel.MAX_BODY_BYTES) {
      throw new IllegalStateException(type + " of " + bodyBytes + " bytes");
    }
    ensure(Tunnel.MAX_HEADER_BYTES + bodyBytes);
    bytes[size++] = (byte) type.code();
    varint(stream);
    varint(bodyBytes);
  }

  /** Takes bytes out again; what stands behind them moves up. */
  public void remove(int from, int length) {
    System.arraycopy(bytes, from + length, bytes, from, size - from - length);
    size -= length;
  }

  /** The encoded bytes; valid from 0 to {@link #size()} until the next change. */
  public byte[] array() {
    return bytes;
  }

  /** How many bytes are in the buffer. */
  public int size() {
    return size;
  }

  /** Empties the buffer; a buffer that has grown far is given back to the heap. */
  public void clear() {
    size = 0;
    if (bytes.length > 256 * 1024) {
      bytes = new byte[64 * 1024];
    }
  }

  /** The content as an array of its own. */
  public byte[] toByteArray() {
    return Arrays.copyOf(bytes, size);
  }

  void u8(int value) {
    ensure(1);
    bytes[size++] = (byte) value;
  }

  void u16(int value) {
    u8(value >> 8);
    u8(value);
  }

  void u32(int value) {
    u16(value >> 16);
    u16(value);
  }

  void u64(long value) {
    u32((int) (value >> 32));
    u32((int) value);
  }

  void varint(long value) {
    ensure(10);
    long rest = value;
    while (rest > 0x7F) {
      bytes[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
  }

  void raw(byte[] from, int offset, int length) {
    ensure(length);
    System.arraycopy(from, offset, bytes, size, length);
    size += length;
  }

  void opaque(byte[] value) {
    varint(value.length);
    raw(value, 0, value.length);
  }

  /** Texts are cut at the limit rather than refused: they are for people. */
  void text(String value) {
    byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
    int length = utf8.length;
    if (length > Tunnel.MAX_TEXT_BYTES) {
      length = Tunnel.MAX_TEXT_BYTES;
      while ((utf8[length] & 0xC0) == 0x80) {
        length--; // not inside a character
      }
    }
    varint(length);
    raw(utf8, 0, length);
  }

  void properties(Map<String, String> properties) {
    varint(properties.size());
    for (Map.Entry<String, String> property : properties.entrySet()) {
      text(property.getKey());
      text(property.getValue());
    }
  }

  private void ensure(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(size + more, bytes.length * 2));
    }
  }
}

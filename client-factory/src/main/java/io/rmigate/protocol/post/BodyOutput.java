package io.rmigate.protocol.post;

import java.util.Arrays;

/** Writes a body. Confined to one thread. */
final class BodyOutput {
  private final byte[] body;
  private int position;

  /** With room for that many bytes of the stream. */
  BodyOutput(int bytes) {
    body = new byte[Post.MAX_HEAD_BYTES + bytes];
    u8(Post.VERSION);
  }

  void u8(int value) {
    body[position++] = (byte) value;
  }

  void id(ConnectionId id) {
    id.copyTo(body, position);
    position += Post.ID_BYTES;
  }

  void varint(long value) {
    if (value < 0) {
      throw new IllegalArgumentException("a varint is not negative: " + value);
    }
    long rest = value;
    while (rest > 0x7F) {
      u8(((int) rest & 0x7F) | 0x80);
      rest >>>= 7;
    }
    u8((int) rest);
  }

  /** Length and bytes. */
  void bytes(byte[] from, int offset, int length) {
    varint(length);
    System.arraycopy(from, offset, body, position, length);
    position += length;
  }

  byte[] toByteArray() {
    return Arrays.copyOf(body, position);
  }
}

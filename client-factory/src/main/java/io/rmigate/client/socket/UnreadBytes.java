package io.rmigate.client.socket;

import java.util.Arrays;

/** Bytes that this JVM has made and the client has not read yet. Confined to one thread. */
final class UnreadBytes {
  private static final byte[] NOTHING = {};

  private byte[] bytes = NOTHING;
  private int offset;

  int count() {
    return bytes.length - offset;
  }

  void append(byte[] more) {
    int left = count();
    byte[] both = Arrays.copyOfRange(bytes, offset, offset + left + more.length);
    System.arraycopy(more, 0, both, left, more.length);
    set(both);
  }

  /** Replaces all bytes; keeps the array, which is not changed afterwards. */
  void set(byte[] content) {
    bytes = content;
    offset = 0;
  }

  void clear() {
    set(NOTHING);
  }

  int read(byte[] buffer, int at, int length) {
    int count = Math.min(length, count());
    System.arraycopy(bytes, offset, buffer, at, count);
    offset += count;
    return count;
  }
}

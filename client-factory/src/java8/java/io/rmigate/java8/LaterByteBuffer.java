package io.rmigate.java8;

import java.nio.Buffer;
import java.nio.ByteBuffer;

/** Additions to {@link ByteBuffer}. */
public final class LaterByteBuffer {
  private LaterByteBuffer() {}

  public static ByteBuffer get(ByteBuffer buffer, int index, byte[] into) {
    return get(buffer, index, into, 0, into.length);
  }

  public static ByteBuffer get(ByteBuffer buffer, int index, byte[] into, int offset, int length) {
    Buffer copy = buffer.duplicate();
    copy.limit(buffer.limit());
    copy.position(index);
    ((ByteBuffer) copy).get(into, offset, length);
    return buffer;
  }

  public static ByteBuffer position(ByteBuffer buffer, int position) {
    ((Buffer) buffer).position(position);
    return buffer;
  }
}

package io.rmigate.java8;

import java.io.ByteArrayInputStream;

/** Additions to {@link java.io.ByteArrayInputStream}. */
public final class LaterByteArrayInputStream {
  private LaterByteArrayInputStream() {}

  public static byte[] readAllBytes(ByteArrayInputStream in) {
    byte[] read = new byte[in.available()];
    in.read(read, 0, read.length);
    return read;
  }
}

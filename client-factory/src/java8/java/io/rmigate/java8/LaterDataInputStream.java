package io.rmigate.java8;

import java.io.DataInputStream;
import java.io.IOException;

/** Additions to {@link java.io.DataInputStream}. */
public final class LaterDataInputStream {
  private LaterDataInputStream() {}

  public static byte[] readNBytes(DataInputStream in, int limit) throws IOException {
    return LaterInputStream.readNBytes(in, limit);
  }
}

package io.rmigate.java8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Additions to {@link java.io.InputStream}. */
public final class LaterInputStream {
  private LaterInputStream() {}

  private static final int CHUNK = 8192;

  public static byte[] readAllBytes(InputStream in) throws IOException {
    return readNBytes(in, Integer.MAX_VALUE);
  }

  public static byte[] readNBytes(InputStream in, int limit) throws IOException {
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    byte[] chunk = new byte[Math.min(limit, CHUNK)];
    int left = limit;
    while (left > 0) {
      int count = in.read(chunk, 0, Math.min(left, chunk.length));
      if (count < 0) {
        break;
      }
      read.write(chunk, 0, count);
      left -= count;
    }
    return read.toByteArray();
  }

  public static long transferTo(InputStream in, OutputStream out) throws IOException {
    byte[] chunk = new byte[CHUNK];
    long total = 0;
    for (int count = in.read(chunk, 0, CHUNK); count >= 0; count = in.read(chunk, 0, CHUNK)) {
      out.write(chunk, 0, count);
      total += count;
    }
    return total;
  }
}

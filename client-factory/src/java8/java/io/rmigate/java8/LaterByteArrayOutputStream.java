package io.rmigate.java8;

import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;

/** Additions to {@link java.io.ByteArrayOutputStream}. */
public final class LaterByteArrayOutputStream {
  private LaterByteArrayOutputStream() {}

  public static String toString(ByteArrayOutputStream out, Charset charset) {
    return new String(out.toByteArray(), charset);
  }

  public static void writeBytes(ByteArrayOutputStream out, byte[] bytes) {
    out.write(bytes, 0, bytes.length);
  }
}

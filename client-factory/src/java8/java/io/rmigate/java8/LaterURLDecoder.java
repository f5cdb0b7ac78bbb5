package io.rmigate.java8;

import java.io.UnsupportedEncodingException;
import java.net.URLDecoder;
import java.nio.charset.Charset;

/** Additions to {@link URLDecoder}. */
public final class LaterURLDecoder {
  private LaterURLDecoder() {}

  public static String decode(String text, Charset charset) {
    try {
      return URLDecoder.decode(text, charset.name());
    } catch (UnsupportedEncodingException e) {
      throw new IllegalStateException(e);
    }
  }
}

package io.rmigate.protocol.coding;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * What a fresh context already knows: boilerplate of JRMP and of serialization, the most frequent
 * at the end, where it costs least to refer to. Made by {@code perf/dictionary}. Its bytes never
 * change: other bytes are another number, and another name of the coding that uses them.
 */
final class PresetDictionary {
  /** For {@link ContentCoding#DEFLATE_1}. */
  static final PresetDictionary ONE = new PresetDictionary("deflate-1.dict");

  private final byte[] bytes;

  private PresetDictionary(String resource) {
    try (InputStream in = PresetDictionary.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException(resource + " is missing beside " + getClass().getName());
      }
      bytes = in.readAllBytes();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** All of it; not to be changed. */
  byte[] bytes() {
    return bytes;
  }
}

package io.rmigate.protocol.coding;

import io.rmigate.protocol.tunnel.Welcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A way to write frames shorter, known by its name on the wire. To add one, write its encoder and
 * decoder, list it here, and make them in {@link #encoder} and {@link #decoder}. A change of its
 * bytes, its preset dictionary among them, needs another name.
 */
public final class ContentCoding {
  /** Frames as they are. Always possible. */
  public static final ContentCoding IDENTITY = new ContentCoding(Welcome.IDENTITY);

  /** Raw DEFLATE with preset dictionary number 1. */
  public static final ContentCoding DEFLATE_1 = new ContentCoding("deflate.1");

  /** Best first. */
  private static final List<ContentCoding> KNOWN = List.of(DEFLATE_1, IDENTITY);

  private final String name;

  private ContentCoding(String name) {
    this.name = name;
  }

  /** Names of the codings that an agent offers, best first. */
  public static List<String> offered(Compression compression) {
    if (compression == Compression.OFF) {
      return List.of(IDENTITY.name);
    }
    List<String> names = new ArrayList<>();
    for (ContentCoding coding : KNOWN) {
      names.add(coding.name);
    }
    return names;
  }

  /** The coding that a gateway picks of an offer: the first known, else {@link #IDENTITY}. */
  public static ContentCoding picked(List<String> offered, Compression compression) {
    if (compression == Compression.OFF) {
      return IDENTITY;
    }
    return offered.stream()
        .map(ContentCoding::named)
        .flatMap(Optional::stream)
        .findFirst()
        .orElse(IDENTITY);
  }

  /** The coding of that name, if it is known. */
  public static Optional<ContentCoding> named(String name) {
    for (ContentCoding coding : KNOWN) {
      if (coding.name.equals(name)) {
        return Optional.of(coding);
      }
    }
    return Optional.empty();
  }

  /** Name of the coding in HELLO and WELCOME. */
  public String name() {
    return name;
  }

  /** Whether nothing is coded. */
  public boolean isIdentity() {
    return this == IDENTITY;
  }

  /** A fresh context for sending. Holds native memory until it is closed. */
  Encoder encoder() {
    checkCoding();
    return new DeflateEncoder(PresetDictionary.ONE);
  }

  /** A fresh context for receiving. Holds native memory until it is closed. */
  Decoder decoder() {
    checkCoding();
    return new DeflateDecoder(PresetDictionary.ONE);
  }

  private void checkCoding() {
    if (isIdentity()) {
      throw new IllegalStateException("identity has neither encoder nor decoder");
    }
  }

  @Override
  public String toString() {
    return name;
  }
}

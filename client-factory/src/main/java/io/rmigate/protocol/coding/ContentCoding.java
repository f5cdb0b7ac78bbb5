package io.rmigate.protocol.coding;

import io.rmigate.protocol.tunnel.Welcome;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A way to write frames shorter, known by its name on the wire. To add one, write its encoder and
 * decoder and list it here; a change of its bytes, its preset dictionary among them, needs another
 * name.
 */
public final class ContentCoding {
  /** Frames as they are. Always possible. */
  public static final ContentCoding IDENTITY =
      new ContentCoding(
          Welcome.IDENTITY, () -> nothing(Encoder.class), () -> nothing(Decoder.class));

  /** Raw DEFLATE with preset dictionary number 1. */
  public static final ContentCoding DEFLATE_1 =
      new ContentCoding(
          "deflate.1",
          () -> new DeflateEncoder(PresetDictionary.ONE),
          () -> new DeflateDecoder(PresetDictionary.ONE));

  /** Best first. */
  private static final List<ContentCoding> KNOWN = List.of(DEFLATE_1, IDENTITY);

  private final String name;
  private final Supplier<Encoder> encoders;
  private final Supplier<Decoder> decoders;

  private ContentCoding(String name, Supplier<Encoder> encoders, Supplier<Decoder> decoders) {
    this.name = name;
    this.encoders = encoders;
    this.decoders = decoders;
  }

  private static <T> T nothing(Class<T> wanted) {
    throw new IllegalStateException("identity has no " + wanted.getSimpleName());
  }

  /** What an agent offers, best first. */
  public static List<String> offered(Compression compression) {
    return compression == Compression.OFF
        ? List.of(IDENTITY.name)
        : KNOWN.stream().map(ContentCoding::name).toList();
  }

  /** What a gateway picks of an agent's offer: the first that is known, else {@link #IDENTITY}. */
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
    return KNOWN.stream().filter(coding -> coding.name.equals(name)).findFirst();
  }

  /** As in HELLO and WELCOME. */
  public String name() {
    return name;
  }

  /** Whether nothing is coded. */
  public boolean isIdentity() {
    return this == IDENTITY;
  }

  /** A fresh context for sending. Holds native memory until it is closed. */
  Encoder encoder() {
    return encoders.get();
  }

  /** A fresh context for receiving. Holds native memory until it is closed. */
  Decoder decoder() {
    return decoders.get();
  }

  @Override
  public String toString() {
    return name;
  }
}

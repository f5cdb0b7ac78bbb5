package io.rmigate.protocol.coding;

import java.util.zip.Deflater;

/**
 * Raw DEFLATE (RFC 1951), each body a sync flush without its end:
 *
 * <pre>
 *   | blocks … | empty stored block: 3 bits 000, bits up to the byte | 00 00 FF FF |
 *   `------------------------- the body ---------------------------'   not sent
 * </pre>
 *
 * Holds about 260 KB of native memory (32 KiB window, the JDK's default of memory).
 */
final class DeflateEncoder implements Encoder {
  /** The empty stored block's lengths, which end every sync flush. */
  static final byte[] FLUSH_END = {0, 0, (byte) 0xFF, (byte) 0xFF};

  /** Most input bytes: incompressible ones grow by a few (zlib's deflateBound) and still fit. */
  private static final int MAX_INPUT_BYTES = 16_000;

  private static final int MAX_GROWTH_BYTES = 64;

  private final Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
  private final PresetDictionary dictionary;

  DeflateEncoder(PresetDictionary dictionary) {
    this.dictionary = dictionary;
    deflater.setDictionary(dictionary.bytes());
  }

  @Override
  public int maxInputBytes() {
    return MAX_INPUT_BYTES;
  }

  @Override
  public int maxCodedBytes(int inputBytes) {
    return inputBytes + MAX_GROWTH_BYTES;
  }

  @Override
  public int encode(byte[] from, int offset, int length, byte[] to) {
    deflater.setInput(from, offset, length);
    int coded = deflater.deflate(to, 0, to.length, Deflater.SYNC_FLUSH);
    if (!deflater.needsInput() || coded == to.length || coded <= FLUSH_END.length) {
      throw new IllegalStateException(length + " bytes were deflated to " + coded);
    }
    return coded - FLUSH_END.length;
  }

  @Override
  public void restart() {
    deflater.reset();
    deflater.setDictionary(dictionary.bytes());
  }

  @Override
  public void close() {
    deflater.end();
  }
}

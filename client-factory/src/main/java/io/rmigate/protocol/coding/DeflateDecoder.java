package io.rmigate.protocol.coding;

import io.rmigate.protocol.ProtocolViolationException;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Undoes {@link DeflateEncoder}. Holds about 40 KB of native memory. */
final class DeflateDecoder implements Decoder {
  private final Inflater inflater = new Inflater(true);
  private final PresetDictionary dictionary;
  private boolean endGiven;

  DeflateDecoder(PresetDictionary dictionary) {
    this.dictionary = dictionary;
    inflater.setDictionary(dictionary.bytes());
  }

  @Override
  public void begin(byte[] body) {
    inflater.setInput(body);
    endGiven = false;
  }

  @Override
  public int read(byte[] buffer) throws ProtocolViolationException {
    try {
      while (true) {
        int count = inflater.inflate(buffer);
        if (inflater.finished() || inflater.needsDictionary()) {
          throw new ProtocolViolationException("expected deflated bytes without an end, got one");
        }
        if (count > 0) {
          return count;
        }
        if (endGiven) {
          return 0;
        }
        inflater.setInput(DeflateEncoder.FLUSH_END);
        endGiven = true;
      }
    } catch (DataFormatException notDeflated) {
      throw new ProtocolViolationException(
          "expected deflated bytes, got others: " + notDeflated.getMessage());
    }
  }

  @Override
  public void restart() {
    inflater.reset();
    inflater.setDictionary(dictionary.bytes());
  }

  @Override
  public void close() {
    inflater.end();
  }
}

package io.rmigate.client.callback;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.Jrmp;

/**
 * What a server answers to the {@link Preamble}, to be swallowed: {@code 0x4E host:UTF port:4}. It
 * may come in pieces. For one connection; not thread-safe.
 */
final class Acknowledgement {
  private static final int FIXED_BYTES = 1 + 2 + 4;

  private int taken;
  private int hostBytes;

  /**
   * Takes what belongs to it.
   *
   * @return how many of the bytes it was
   * @throws ProtocolViolationException it is none
   */
  int take(byte[] bytes, int offset, int length) throws ProtocolViolationException {
    int used = 0;
    while (used < length && taken < FIXED_BYTES + hostBytes) {
      int value = bytes[offset + used] & 0xFF;
      if (taken == 0 && value != Jrmp.PROTOCOL_ACK) {
        throw new ProtocolViolationException(
            "expected this JVM to acknowledge JRMP, got 0x" + Integer.toHexString(value));
      }
      if (taken == 1 || taken == 2) {
        hostBytes = taken == 1 ? value << 8 : hostBytes | value;
      }
      taken++;
      used++;
    }
    return used;
  }
}

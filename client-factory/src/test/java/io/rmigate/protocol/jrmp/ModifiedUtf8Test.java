package io.rmigate.protocol.jrmp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ModifiedUtf8Test {
  private static final int LENGTHS = 80;

  /** Texts are looked at in words, which overlap: no byte may be left out, none beside counts. */
  @Test
  void everyByteOfATextOfAnyLengthCounts() {
    int refused = 0;
    for (int length = 0; length < LENGTHS; length++) {
      for (int at = 0; at < length; at++) {
        byte[] around = around(length);
        assertThat(ModifiedUtf8.isValid(around, 1, length)).isTrue();
        around[1 + at] = (byte) 0x80; // continues nothing
        refused += ModifiedUtf8.isValid(around, 1, length) ? 0 : 1;
      }
    }
    assertThat(refused).isEqualTo(LENGTHS * (LENGTHS - 1) / 2);
  }

  /** ASCII between two bytes that are none. */
  private static byte[] around(int length) {
    byte[] bytes = new byte[length + 2];
    Arrays.fill(bytes, (byte) 'a');
    bytes[0] = (byte) 0x80;
    bytes[length + 1] = (byte) 0x80;
    return bytes;
  }
}

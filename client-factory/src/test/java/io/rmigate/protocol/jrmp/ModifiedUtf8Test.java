package io.rmigate.protocol.jrmp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  @ParameterizedTest
  @ValueSource(strings = {"", "ascii", "größe", "a\0b", "设备", "𠮷野", "\uD800"})
  void aTextIsSpelledByItsBytesAlone(String text) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new DataOutputStream(out).writeUTF(text);
    byte[] bytes = Arrays.copyOfRange(out.toByteArray(), Short.BYTES, out.size());
    assertThat(ModifiedUtf8.encode(text)).isEqualTo(bytes);
    assertThat(ModifiedUtf8.spells(bytes, 0, bytes.length, text)).isTrue();
    assertThat(ModifiedUtf8.decode(bytes, 0, bytes.length)).isEqualTo(text);
    for (int i = 0; i < bytes.length; i++) {
      byte[] other = bytes.clone();
      other[i] ^= 1;
      assertThat(ModifiedUtf8.spells(other, 0, other.length, text)).isFalse();
      assertThat(ModifiedUtf8.spells(bytes, 0, i, text)).isFalse();
      assertThat(ModifiedUtf8.spells(bytes, 0, bytes.length, text.substring(1))).isFalse();
    }
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

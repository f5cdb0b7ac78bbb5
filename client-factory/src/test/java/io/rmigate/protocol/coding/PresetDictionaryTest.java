package io.rmigate.protocol.coding;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.MessageDigest;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class PresetDictionaryTest {
  private static final int WINDOW_BYTES = 32 * 1024;

  /** Agents and gateways of other builds have these bytes: others need another name. */
  @Test
  void theBytesOfDeflate1NeverChange() throws Exception {
    assertThat(ContentCoding.DEFLATE_1.name()).isEqualTo("deflate.1");
    assertThat(sha256(PresetDictionary.ONE.bytes()))
        .isEqualTo("edc1d30bda37728aaf3eb6bbebef9160192c178ec5e5acddb1f3c3876e42d181");
  }

  @Test
  void theDictionaryFitsTheWindow() {
    assertThat(PresetDictionary.ONE.bytes()).hasSizeBetween(1024, WINDOW_BYTES);
  }

  private static String sha256(byte[] bytes) throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }
}

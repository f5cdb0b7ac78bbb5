package io.rmigate.gateway.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What may stand at the beginning of a raw stream. */
class RawBeginningTest {
  private static final byte[] CLIENT_HELLO = HexFormat.of().parseHex("160301020001000001fc0303");
  private static final byte[] JRMP = HexFormat.of().parseHex("4a524d4900024b");

  private static RawBeginning judge(byte[] bytes, int length, boolean tlsOnly) {
    return RawBeginning.judge(Arrays.copyOf(bytes, length), length, tlsOnly);
  }

  @Test
  void clientHelloIsAllowedOnceItIsKnownToBeOne() {
    for (int length = 0; length < RawBeginning.BYTES; length++) {
      assertThat(judge(CLIENT_HELLO, length, true)).isEqualTo(RawBeginning.UNDECIDED);
    }
    for (int length = RawBeginning.BYTES; length <= CLIENT_HELLO.length; length++) {
      assertThat(judge(CLIENT_HELLO, length, true)).isEqualTo(RawBeginning.ALLOWED);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "4a524d4900024b", // JRMP
        "504f5354202f", // POST /
        "160201020001", // another major version
        "170301020001", // application data
        "160301020002", // server_hello
        "802b0103" // SSL 2.0
      })
  void whatIsNoClientHelloIsRefused(String hex) {
    byte[] bytes = HexFormat.of().parseHex(hex);
    assertThat(judge(bytes, bytes.length, true)).isEqualTo(RawBeginning.REFUSED);
  }

  @Test
  void plainJrmpIsRefusedWhereAnythingElseIsAllowed() {
    for (int length = 0; length < 4; length++) {
      assertThat(judge(JRMP, length, false)).isEqualTo(RawBeginning.UNDECIDED);
    }
    assertThat(judge(JRMP, 4, false)).isEqualTo(RawBeginning.REFUSED);
    assertThat(judge(JRMP, JRMP.length, false)).isEqualTo(RawBeginning.REFUSED);
  }

  @Test
  void jrmpWithinHttpIsRefusedToo() {
    byte[] post = "POST / HTTP/1.0".getBytes(StandardCharsets.US_ASCII);
    assertThat(judge(post, 3, false)).isEqualTo(RawBeginning.UNDECIDED);
    assertThat(judge(post, post.length, false)).isEqualTo(RawBeginning.REFUSED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"PUT /", "JRMX", "J", "x", "SSH-2.0-"})
  void anythingElseIsAllowedAtItsFirstDifference(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    assertThat(judge(bytes, bytes.length, false))
        .isEqualTo(text.equals("J") ? RawBeginning.UNDECIDED : RawBeginning.ALLOWED);
  }
}

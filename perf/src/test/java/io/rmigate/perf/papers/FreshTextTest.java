package io.rmigate.perf.papers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FreshTextTest {
  @ParameterizedTest
  @ValueSource(ints = {3_300, 7_048, 14_760})
  void textsHaveTheirLengthAndDeflateAboutThreeToOne(int length) {
    for (long seed = 0; seed < 20; seed++) {
      String text = FreshText.plain(length, seed);
      assertThat(text).hasSize(length);
      assertThat((double) length / deflated(text)).isBetween(2.75, 3.25);
    }
  }

  @Test
  void pagesToo() {
    for (long seed = 0; seed < 20; seed++) {
      String page = FreshText.html(TestCases.TEXT_BYTES, seed);
      assertThat(page).hasSize(TestCases.TEXT_BYTES).startsWith("<html>").endsWith("</html>\n");
      assertThat((double) page.length() / deflated(page)).isBetween(2.75, 3.25);
    }
  }

  @Test
  void sameSeedMakesTheSameText() {
    assertThat(FreshText.plain(3_300, 7)).isEqualTo(FreshText.plain(3_300, 7));
    assertThat(FreshText.plain(3_300, 7)).isNotEqualTo(FreshText.plain(3_300, 8));
    assertThat(FreshText.html(9_689, 7)).isEqualTo(FreshText.html(9_689, 7));
  }

  @Test
  void earlierTextIsNoHelpToCompression() {
    String first = FreshText.plain(7_048, 1);
    String second = FreshText.plain(7_048, 2);
    int apart = deflated(first) + deflated(second);
    assertThat(deflated(first + second)).isGreaterThan(apart * 95 / 100);
    assertThat(deflated(first + first)).as("as repeated text is").isLessThan(apart * 60 / 100);
  }

  private static int deflated(String text) {
    Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
    try {
      deflater.setInput(text.getBytes(StandardCharsets.US_ASCII));
      deflater.finish();
      return deflater.deflate(new byte[2 * text.length()]);
    } finally {
      deflater.end();
    }
  }
}

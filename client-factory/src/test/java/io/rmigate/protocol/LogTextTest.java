package io.rmigate.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogTextTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\n", "\r", "\t", "\u0000", "\u001b", "\u007f", "\u0085", "\u2028", "\u2029", "\u200b",
        "\u200f", "\u202e", "\u2066", "\ufeff", "\ud800", "\udfff", "\ufdd0"
      })
  void whatNoFontShowsBecomesAQuestionMark(String hidden) {
    assertThat(LogText.of("a" + hidden + "b")).isEqualTo("a?b");
  }

  @Test
  void whatShowsStays() {
    String text = "Bücher für 北京: 100 € 😀";
    assertThat(LogText.of(text)).isSameAs(text);
    assertThat(LogText.brief(text)).isSameAs(text);
  }

  @Test
  void aBriefOneIsNeverLong() {
    assertThat(LogText.brief("x".repeat(LogText.BRIEF_CHARS + 1)))
        .isEqualTo("x".repeat(LogText.BRIEF_CHARS) + "…");
    assertThat(LogText.brief("😀".repeat(LogText.BRIEF_CHARS))).doesNotContain("\ud83d…");
  }
}

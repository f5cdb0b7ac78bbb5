package io.rmigate.gateway.policy.type;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Patterns are those of {@code jdk.serialFilter}, without what would switch the filter off. */
class ClassPatternTest {

  @ParameterizedTest
  @CsvSource({
    "com.acme.Order, com.acme.Order, true",
    "com.acme.Order, com.acme.OrderLine, false",
    "com.acme.Order, com.acme.Order$Line, false",
    "com.acme.*, com.acme.Order, true",
    "com.acme.*, com.acme.Order$Line, true",
    "com.acme.*, com.acme.sub.Order, false",
    "com.acme.*, com.acmeOrder, false",
    "com.acme.**, com.acme.sub.Order, true",
    "com.acme.**, com.acmes.Order, false",
    "com.acme.Ord*, com.acme.Order, true",
    "com.acme.Ord*, com.acme.Line, false",
    "!com.acme.*, com.acme.Order, true",
  })
  void matchesAsTheJdkDoes(String pattern, String name, boolean matches) {
    assertThat(ClassPattern.parse(pattern).orElseThrow().matches(name)).isEqualTo(matches);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "*",
        "**",
        "!*",
        "!**",
        "",
        "!",
        "com..acme",
        "maxdepth=5",
        "java.base/java.util.*",
        "com.acme.",
        "com.*.Order",
        "com.acme.Order;com.acme.Line"
      })
  void whatIsNoneOrMatchesEverythingIsNotTaken(String text) {
    assertThat(ClassPattern.parse(text)).isEmpty();
  }

  @Test
  void anExclamationMarkRefuses() {
    assertThat(ClassPattern.parse("!com.acme.*").orElseThrow().allows()).isFalse();
    assertThat(ClassPattern.parse("com.acme.*").orElseThrow().allows()).isTrue();
  }
}

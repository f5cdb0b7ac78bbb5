package io.rmigate.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class OptionsTest {
  @Test
  void missingOptionsTakeTheirDefault() {
    Options options = Options.parse(new String[] {"--port", "7"}, "--port", "--host");
    assertThat(options.number("--port", 1099)).isEqualTo(7);
    assertThat(options.text("--host", "localhost")).isEqualTo("localhost");
  }

  @Test
  void mistakesAreNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Options.parse(new String[] {"--prot", "7"}, "--port"))
        .withMessageContaining("--prot")
        .withMessageContaining("--port");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Options.parse(new String[] {"--port"}, "--port"))
        .withMessageContaining("needs a value");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Options.parse(new String[] {"--port", "x"}, "--port").number("--port", 0))
        .withMessageContaining("needs a number");
  }
}

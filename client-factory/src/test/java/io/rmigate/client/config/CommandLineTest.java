package io.rmigate.client.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CommandLineTest {

  @Test
  void wordsOptionsAndKeysAreToldApart() {
    CommandLine line =
        parse(
            "rmi://a:1/x", "--gateway", "https://gw.example/r", "--json", "--idle=3s", "-l", "-7");

    assertThat(line.words()).containsExactly("rmi://a:1/x", "-7");
    assertThat(line.has("json")).isTrue();
    assertThat(line.has("l")).isTrue();
    assertThat(line.duration("idle", Duration.ZERO, Duration.ofMinutes(1), Duration.ZERO))
        .isEqualTo(Duration.ofSeconds(3));
    CommandLine.Configured configured = line.configured(new Properties(), Map.of());
    assertThat(configured.hasGateway()).isTrue();
    assertThat(configured.config().gateways()).containsExactly(URI.create("https://gw.example/r"));
  }

  @Test
  void thereMayBeNoGateway() {
    CommandLine line = parse("--proxy", "proxy.example:3128");

    CommandLine.Configured configured = line.configured(new Properties(), Map.of());

    assertThat(configured.hasGateway()).isFalse();
    assertThat(configured.config().proxyTowards(URI.create("https://any.example")))
        .hasToString("HTTP proxy proxy.example:3128 (option --proxy)");
  }

  @Test
  void theEnvironmentNamesAGatewayToo() {
    CommandLine.Configured configured =
        parse().configured(new Properties(), Map.of("RMIGATE_GATEWAY", "https://gw.example"));

    assertThat(configured.hasGateway()).isTrue();
  }

  @Test
  void mistakesAreNamed() {
    assertThatThrownBy(() -> parse("--gatewy", "x")).hasMessageContaining("did you mean gateway?");
    assertThatThrownBy(() -> parse("--nonsense")).hasMessageContaining("--help lists them all");
    assertThatThrownBy(() -> parse("--idle")).hasMessageContaining("has no value");
    assertThatThrownBy(() -> parse("--idle", "1s", "--idle", "2s"))
        .hasMessageContaining("given twice");
    assertThatThrownBy(
            () ->
                parse("--idle", "soon")
                    .duration("idle", Duration.ZERO, Duration.ofMinutes(1), Duration.ZERO))
        .hasMessageContaining("'soon' is no duration between 0ms and 60s");
  }

  @Test
  void behindTwoDashesNothingIsAnOption() {
    assertThat(parse("--", "--json", "-l").words()).containsExactly("--json", "-l");
  }

  private static CommandLine parse(String... arguments) {
    return CommandLine.parse(List.of(arguments), Set.of("idle"), Set.of("json", "l"));
  }
}

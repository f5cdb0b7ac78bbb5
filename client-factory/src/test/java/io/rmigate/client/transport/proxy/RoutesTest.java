package io.rmigate.client.transport.proxy;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.transport.net.Deadline;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is set for programs in general and cannot be read is no reason to go past it. */
class RoutesTest {
  @ParameterizedTest
  @ValueSource(strings = {"http://p:port", "socks5://p:1080", "http://a:secret^@p:1", "http://p q"})
  void noLinkGoesPastAnHttpProxyThatIsNotUnderstood(String proxy) {
    URI gateway = URI.create("https://gw.example");
    ClientConfig config =
        ClientConfig.builder()
            .gateways(gateway)
            .ambientProxies(new Properties(), Map.of("https_proxy", proxy))
            .build();

    assertThatThrownBy(() -> new Routes(config).to(gateway, Deadline.in(Duration.ofSeconds(10))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("environment variable https_proxy")
        .hasMessageContaining("proxy=none")
        .hasMessageNotContaining("secret");
  }
}

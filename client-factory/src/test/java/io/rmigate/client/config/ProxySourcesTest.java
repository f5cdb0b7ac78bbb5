package io.rmigate.client.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** HTTP proxies that were set for programs in general. */
class ProxySourcesTest {
  @TempDir Path directory;

  /** {@code settings}: environment variables, and behind -D properties, each with its value. */
  private static ProxySource towards(String gateway, String settings) {
    return ambient(ClientConfig.builder(), gateway, settings).proxyTowards(URI.create(gateway));
  }

  private static ClientConfig ambient(
      ClientConfig.Builder builder, String gateway, String settings) {
    Properties properties = new Properties();
    Map<String, String> environment = new HashMap<>();
    Arrays.stream(settings.split(" "))
        .map(setting -> setting.split("=", 2))
        .forEach(
            pair -> {
              if (pair[0].startsWith("-D")) {
                properties.setProperty(pair[0].substring(2), pair[1]);
              } else {
                environment.put(pair[0], pair[1]);
              }
            });
    return builder.set(ConfigKey.GATEWAY, gateway).over(properties, environment).build();
  }

  @ParameterizedTest
  @CsvSource({
    "https://gw, -Dhttps.proxyHost=p -Dhttps.proxyPort=3128, HTTP proxy p:3128 (system property https.proxyHost)",
    "https://gw, -Dhttps.proxyHost=p, HTTP proxy p:443 (system property https.proxyHost)",
    "http://gw, -Dhttp.proxyHost=p, HTTP proxy p:80 (system property http.proxyHost)",
    "https://gw, -Dhttps.proxyHost=fd00::1, HTTP proxy [fd00::1]:443 (system property https.proxyHost)",
    "https://gw, -Dhttp.proxyHost=p, no HTTP proxy (none is configured)",
    "https://gw, -Dhttps.proxyHost=p -Dhttps.proxyPort=http, HTTP proxy that is not understood (system property https.proxyHost: allowed: host:port or http(s)://user:password@host:port)",
    "https://gw, https_proxy=http://p:3128/, HTTP proxy p:3128 (environment variable https_proxy)",
    "https://gw, https_proxy=p:3128 HTTPS_PROXY=q:1, HTTP proxy p:3128 (environment variable https_proxy)",
    "https://gw, HTTPS_PROXY=http://p, HTTP proxy p:80 (environment variable HTTPS_PROXY)",
    "https://gw, https_proxy=http://corp_proxy:3128, HTTP proxy corp_proxy:3128 (environment variable https_proxy)",
    "https://rmi_gw:8443, https_proxy=http://ann:x@corp_proxy, HTTP proxy corp_proxy:80 (environment variable https_proxy)",
    "https://rmi_gw, -Dhttps.proxyHost=corp_proxy -Dhttps.proxyPort=3128, HTTP proxy corp_proxy:3128 (system property https.proxyHost)",
    "https://rmi_gw, https_proxy=p:1 no_proxy=rmi_gw, no HTTP proxy (environment variable no_proxy)",
    "https://gw, https_proxy=https://p, HTTP proxy https://p:443 (environment variable https_proxy)",
    "http://gw, http_proxy=p:3128, HTTP proxy p:3128 (environment variable http_proxy)",
    "http://gw, HTTP_PROXY=p:3128, no HTTP proxy (none is configured)",
    "https://gw, http_proxy=p:3128, no HTTP proxy (none is configured)",
    "https://gw, https_proxy=socks5://p:1080, HTTP proxy that is not understood (environment variable https_proxy: names a SOCKS proxy; rmigate goes through host:port or http(s)://user:password@host:port)",
    "https://gw, https_proxy=http://a:secret^@p:1, HTTP proxy that is not understood (environment variable https_proxy: not understood; allowed: host:port or http(s)://user:password@host:port (special characters as %XX))",
    "https://gw, -Dhttps.proxyHost=p https_proxy=q:1, HTTP proxy p:443 (system property https.proxyHost)",
    "https://127.0.0.1, -Dhttps.proxyHost=p https_proxy=q:1, no HTTP proxy (the gateway is on loopback)",
    "https://localhost, https_proxy=q:1, no HTTP proxy (the gateway is on loopback)",
  })
  void propertiesThenEnvironment(String gateway, String settings, String source) {
    assertThat(towards(gateway, settings)).hasToString(source);
  }

  @ParameterizedTest
  @CsvSource({
    "gw.corp.example, *.corp.example, true",
    "GW.Corp.example, *.CORP.example, true",
    "gw.corp.example, corp.example, false",
    "gw.corp.example, a|gw.*, true",
    "10.1.2.3, 10.1.*, true",
    "[fd00::1], [fd00::1], true",
    "gw.corp.example, ', ', false",
    "gw, *, true",
  })
  void nonProxyHosts(String host, String list, boolean left) {
    assertThat(
            towards("https://" + host, "-Dhttps.proxyHost=p -Dhttp.nonProxyHosts=" + list)
                .toString())
        .startsWith(left ? "no HTTP proxy (system property http.nonProxyHosts)" : "HTTP proxy p");
  }

  @ParameterizedTest
  @CsvSource({
    "gw.corp.example, corp.example, true",
    "gw.corp.example, .corp.example, true",
    "gw.corp.example, *.corp.example, true",
    "gw.corp.example, 'a,CORP.example', true",
    "corp.example, .corp.example, true",
    "gw.xcorp.example, corp.example, false",
    "gw.corp.example, corp.example:443, true",
    "gw.corp.example, corp.example:8443, false",
    "gw.corp.example:8443, corp.example:8443, true",
    "gw, *, true",
    "10.1.2.3, 10.0.0.0/8, true",
    "11.1.2.3, 10.0.0.0/8, false",
    "11.1.2.3, 0.0.0.0/0, true",
    "10.1.2.3, 10.1.2.3, true",
    "10.1.2.3, 10.1.2.3:443, true",
    "10.1.2.3, 10.1.2.3:80, false",
    "10.1.2.3, 10.1.2.4/31, false",
    "10.1.2.3, 10.1.2.4/abc, false",
    "110.1.2.3, 10.1.2.3, false",
    "'[fd00:0::1]', fd00::/8, true",
    "'[fd00:0::1]', '[fd00::1]:443', true",
    "'[fd00:0::1]', 'fd00::1', true",
    "'[fd00:0::1]', '10.0.0.0/0', false",
    "gw, 10.0.0.0/0, false",
  })
  void noProxy(String host, String list, boolean left) {
    for (String name : new String[] {"no_proxy", "NO_PROXY"}) {
      assertThat(towards("https://" + host, "https_proxy=p:1 " + name + "=" + list).toString())
          .startsWith(
              left ? "no HTTP proxy (environment variable " + name + ")" : "HTTP proxy p:1");
    }
  }

  @Test
  void ownKeysComeFirst() throws IOException {
    String settings = "-Dhttps.proxyHost=p";

    assertThat(
            ambient(ClientConfig.builder().set(ConfigKey.PROXY, "q:1"), "https://gw", settings)
                .proxyTowards(URI.create("https://gw")))
        .hasToString("HTTP proxy q:1 (builder proxy)");
    assertThat(towards("https://gw", settings + " RMIGATE_PROXY=none"))
        .hasToString("no HTTP proxy (environment variable RMIGATE_PROXY)");
    assertThat(towards("https://gw", settings + " RMIGATE_PROXY=auto").toString())
        .startsWith("HTTP proxy p:443");
  }

  @Test
  void passwordsInTheEnvironmentAreUsedAndNotShown() throws IOException {
    ProxySource source = towards("https://gw", "https_proxy=http://ann:s3cret@p:1");

    HttpProxy.Login login = ((ProxySource.Fixed) source).proxy().login().orElseThrow();
    assertThat(login.password().read()).isEqualTo("s3cret");
    assertThat(source + " " + login)
        .doesNotContain("s3cret")
        .contains("environment variable https_proxy (literal)");
  }

  @Test
  void ownLoginIsForWhateverNamesTheProxy() throws IOException {
    Path file = Files.writeString(directory.resolve("password"), "own");
    ProxySource source =
        ambient(
                ClientConfig.builder()
                    .set(ConfigKey.PROXY_USER, "bob")
                    .set(ConfigKey.PROXY_PASSWORD_FILE, file.toString()),
                "https://gw",
                "https_proxy=http://ann:s3cret@p:1")
            .proxyTowards(URI.create("https://gw"));

    HttpProxy.Login login = ((ProxySource.Fixed) source).proxy().login().orElseThrow();
    assertThat(login.user()).isEqualTo("bob");
    assertThat(login.password().read()).isEqualTo("own");
  }
}

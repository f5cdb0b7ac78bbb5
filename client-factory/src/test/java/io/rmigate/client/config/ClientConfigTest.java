package io.rmigate.client.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.client.deadline.CallTimeouts;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientConfigTest {
  private static final URI GATEWAY = URI.create("https://gw");
  private static final String PIN = "sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";

  @TempDir Path directory;

  @Test
  void argumentBeatsPropertyBeatsEnvironment() {
    Properties properties = properties("rmigate.connect-timeout", "2s", "rmigate.tunnel", "p:1");
    Map<String, String> environment =
        Map.of(
            "RMIGATE_CONNECT_TIMEOUT", "3s",
            "RMIGATE_TUNNEL", "e:1",
            "RMIGATE_DIRECT", "d:1",
            "RMIGATE_GATEWAY", "https://env.example");

    ClientConfig config =
        ClientConfig.fromAgentArguments("gw.example,connect-timeout=1s", properties, environment);

    assertThat(config.gateways()).containsExactly(URI.create("https://gw.example"));
    assertThat(config.connectTimeout()).isEqualTo(Duration.ofSeconds(1));
    assertThat(config.tunnels("p", 1)).isTrue();
    assertThat(config.tunnels("e", 1)).isFalse();
    assertThat(config).hasToString("gateway https://gw.example, tunnel p:1, direct d:1");
  }

  @Test
  void builderBeatsPropertyBeatsEnvironment() {
    ClientConfig config =
        ClientConfig.builder()
            .connectTimeout(Duration.ofMillis(700))
            .over(
                properties("rmigate.gateway", "http://p", "rmigate.connect-timeout", "2s"),
                Map.of("RMIGATE_GATEWAY", "http://e"))
            .build();

    assertThat(config.gateways()).containsExactly(URI.create("http://p"));
    assertThat(config.connectTimeout()).isEqualTo(Duration.ofMillis(700));
  }

  @Test
  void emptyVariableIsAnUnsetOne() {
    ClientConfig config =
        ClientConfig.fromAgentArguments(
            "gw", properties("rmigate.user", ""), Map.of("RMIGATE_TOKEN_FILE", " "));

    assertThat(config.login()).isEmpty();
  }

  @Test
  void defaults() {
    ClientConfig config = of("gw.example");

    assertThat(config.connectTimeout()).isEqualTo(Duration.ofSeconds(15));
    assertThat(config.login()).isEmpty();
    assertThat(config.proxyTowards(GATEWAY)).hasToString("no HTTP proxy (none is configured)");
    assertThat(config.tls().pins()).isEmpty();
    assertThat(config.tunnels("app.example", 1099)).isTrue();
    assertThat(config.tunnels("localhost", 1099)).isFalse();
    assertThat(config.tunnels("127.0.1.1", 1099)).isFalse();
    assertThat(config.tunnels("", 1099)).isFalse(); // loopback for java.net.Socket
  }

  @Test
  void directBeatsTunnel() {
    ClientConfig config = of("gw,tunnel=*.example:*+localhost:1099,direct=b.example:*");

    assertThat(config.tunnels("a.example", 1)).isTrue();
    assertThat(config.tunnels("b.example", 1)).isFalse();
    assertThat(config.tunnels("localhost", 1099)).isTrue();
    assertThat(config.tunnels("elsewhere", 1)).isFalse();
  }

  @Test
  void noneMeansNothing() {
    assertThat(of("gw,tunnel=none").tunnels("a.example", 1)).isFalse();
    assertThat(of("gw,direct=none,proxy=none").proxyTowards(GATEWAY))
        .isEqualTo(new ProxySource.None("javaagent argument proxy", false));
  }

  @Test
  void theGatewayListensForAnonymousExportsUnlessToldOtherwise() {
    assertThat(of("gw").exports().contain(0)).isTrue();
    assertThat(of("gw").exports().contain(1099)).isFalse();
    assertThat(of("gw,export=none").exports().contain(0)).isFalse();
    ExportPorts listed = of("gw,export=1099+2000-2010").exports();
    assertThat(listed.contain(0)).isFalse();
    assertThat(listed.contain(1099)).isTrue();
    assertThat(listed.contain(2010)).isTrue();
    assertThat(listed.contain(2011)).isFalse();
    assertThat(of("gw,callback-host=fd00::1").callbackHost()).contains("fd00::1");
  }

  @ParameterizedTest
  @CsvSource({
    "gw.example, https://gw.example",
    "rmi_gateway, https://rmi_gateway",
    "http://RMI_gateway:18080/rmigate/, http://rmi_gateway:18080/rmigate",
    "gw.example:8443/rmigate/, https://gw.example:8443/rmigate",
    "HTTPS://GW.example/Rmi%20gate, https://gw.example/Rmi%20gate",
    "wss://gw.example/a/b, https://gw.example/a/b",
    "http://gw.example, http://gw.example",
    "ws://gw.example:80/x, http://gw.example:80/x",
    "'https://[fd00::1]:8443/x', 'https://[fd00::1]:8443/x'",
    "gateway=gw.example, https://gw.example",
  })
  void gatewayUrls(String argument, String uri) {
    assertThat(of(argument).gateways()).containsExactly(URI.create(uri));
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://a/x|http://b/y", "https://a/x+http://b/y", "a/x|ws://b/y"})
  void severalGateways(String argument) {
    assertThat(of(argument).gateways())
        .containsExactly(URI.create("https://a/x"), URI.create("http://b/y"));
  }

  @Test
  void plusInAPathDoesNotSeparate() {
    assertThat(of("gw/a+b").gateways()).containsExactly(URI.create("https://gw/a+b"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "ann:secret@gw; javaagent argument gateway: a gateway URL has no user info",
        "https://ann:secret@gw; no user info",
        "gw?x=1; query",
        "gw#x; query or a fragment",
        "ftp://gw; neither an https nor an http URL",
        "https:///x; names no host",
        "gw:99999; port outside",
        "gw|; empty element",
        "gw x; not a URL",
        "gw,; expected key=value",
        "gw,tunnel; expected key=value",
        "gw,tunnel=; javaagent argument tunnel: is empty",
        "gw,tunnel=a; write a:* for every port",
        "gw,tunnel=a:1,tunnel=b:1; javaagent argument tunnel: is given twice",
        "gw,connect-timeout=15; is not a duration above zero",
        "gw,connect-timeout=0s; above zero",
        "gw,connect-timeout=25h; up to a day",
        "gw,connect-timeout=-1s; above zero",
        "gw,user=ann; javaagent argument user: needs password-file as well",
        "gw,proxy=p; none, auto, host:port or http(s)://user:password@host:port",
        "gw,proxy=ftp://p:1; none, auto, host:port or",
        "gw,proxy=socks5://p:1; names a SOCKS proxy",
        "gw,proxy=http://ann:secret@p; none, auto, host:port or",
        "gw,proxy=http://ann@p:1; user and password",
        "gw,proxy=http://ann:secret^@p:1; special characters as %XX",
        "gw,pac=/no/such/file; javaagent argument pac: /no/such/file does not exist",
        "gw,pac=file:///no/such/file; javaagent argument pac: /no/such/file does not exist",
        "gw,pac=file://host/a; is not the URL of a file here",
        "gw,pac=http://ann:secret@p/; no user info",
        "gw,pac=http:///p; names no host",
        "gw,pac=http://p/ ^; is not a URL",
        "gw,proxy=p:1,pac=http://p/; javaagent argument proxy and javaagent argument pac; choose one",
        "gw,proxy-truststore-password-file=/dev/null; needs proxy-truststore as well",
        "gw,pin=sha1/x; is not a pin",
        "gw,pin=sha256/AAAA; is not a pin",
        "gw,pin=sha256/a; is not a pin",
        "http://gw,pin=sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=; has no effect on http://gw",
        "gw,password-file=/no/such/file,user=ann; javaagent argument password-file: /no/such/file does not exist",
        "gw,token-file=/; is not a readable file",
        "gw,export=all; javaagent argument export: 'all' is neither a port nor a range",
        "gw,export=2010-2000; the lower one first",
        "gw,export=70000; ports are 0-65535",
        "gw,callback-host=gw.inner:1099; without a port",
        "gw,way=socks; is none of direct, connect, websocket, post",
        "gw,way=post|auto; is none of",
        "gw,way=post|direct|post; names post twice",
        "gw,way=direct,export=0; needs a way to the gateway, and way= has none: direct",
      })
  void whatIsNotAllowedIsRefusedInOneLine(String arguments, String saying) {
    assertThatThrownBy(() -> of(arguments))
        .isInstanceOf(ClientConfigException.class)
        .hasMessageContaining(saying)
        .hasMessageNotContaining("secret")
        .message()
        .hasLineCount(1);
  }

  @Test
  void nothingPassesTheGatewayUnlessThatIsSaid() {
    assertThat(of("gw").ways()).isEqualTo(Ways.LINK).hasToString("websocket|post");
    assertThat(of("gw").ways().mayPassGateway()).isFalse();
    assertThat(of("gw,way=auto").ways().inOrder())
        .containsExactly(Way.DIRECT, Way.CONNECT, Way.WEBSOCKET, Way.POST);
    assertThat(of("gw,way=post+direct").ways().inOrder()).containsExactly(Way.POST, Way.DIRECT);
    assertThat(of("gw,way=direct").ways().overLink()).isEmpty();
    assertThat(of("gw,way=direct").exports()).isEqualTo(ExportPorts.NONE);
  }

  @Test
  void missingGatewayNamesAllPlaces() {
    assertThatThrownBy(() -> of(null))
        .isInstanceOf(ClientConfigException.class)
        .hasMessageContaining("-javaagent:")
        .hasMessageContaining("rmigate.gateway")
        .hasMessageContaining("RMIGATE_GATEWAY");
  }

  @Test
  void errorNamesItsSource() {
    assertThatThrownBy(
            () ->
                ClientConfig.fromAgentArguments(
                    "gw", properties("rmigate.connect-timeout", "x"), Map.of()))
        .hasMessageStartingWith("system property rmigate.connect-timeout: ");
    assertThatThrownBy(
            () ->
                ClientConfig.fromAgentArguments(
                    "gw", new Properties(), Map.of("RMIGATE_CONNECT_TIMEOUT", "x")))
        .hasMessageStartingWith("environment variable RMIGATE_CONNECT_TIMEOUT: ");
    assertThatThrownBy(() -> ClientConfig.builder().set(ConfigKey.TUNNEL, " "))
        .hasMessageStartingWith("builder tunnel: ");
  }

  @ParameterizedTest
  @CsvSource({
    "usr=x, user",
    "tunel=x, tunnel",
    "tunnels=x, tunnel",
    "truststore_password_file=x, truststore-password-file",
    "conect-timeout=1s, connect-timeout",
    "PIN=x, pin",
  })
  void unknownArgumentIsRefusedWithASuggestion(String argument, String suggestion) {
    assertThatThrownBy(() -> of("gw," + argument))
        .isInstanceOf(ClientConfigException.class)
        .hasMessageEndingWith(": unknown; did you mean " + suggestion + "?");
  }

  @Test
  void unknownArgumentWithoutLikenessIsRefusedToo() {
    assertThatThrownBy(() -> of("gw,colour=red")).hasMessage("javaagent argument colour: unknown");
  }

  @Test
  void misspeltPropertiesAndVariablesAreRefused() {
    assertThatThrownBy(
            () ->
                ClientConfig.fromAgentArguments(
                    "gw", properties("rmigate.trustore", "x"), Map.of()))
        .hasMessage("system property rmigate.trustore: unknown; did you mean rmigate.truststore?");
    assertThatThrownBy(
            () ->
                ClientConfig.fromAgentArguments(
                    "gw", new Properties(), Map.of("RMIGATE_TOKENFILE", "x")))
        .hasMessage(
            "environment variable RMIGATE_TOKENFILE: unknown; did you mean RMIGATE_TOKEN_FILE?");
  }

  @Test
  void variablesOfOthersAreIgnored() {
    ClientConfig config =
        ClientConfig.fromAgentArguments(
            "gw",
            properties("rmigate.config", "x", "rmigate.some.thing", "x"),
            Map.of(
                "RMIGATE_SERVICE_HOST", "10.0.0.1", // as Kubernetes sets them
                "RMIGATE_PORT", "tcp://10.0.0.1:443",
                "RMIGATE_PORT_443_TCP_ADDR", "10.0.0.1"));

    assertThat(config.gateways()).hasSize(1);
  }

  @Test
  void twoLoginsAreRefused() throws IOException {
    Path secret = secret();

    assertThatThrownBy(
            () ->
                ClientConfig.fromAgentArguments(
                    "gw,token-file=" + secret,
                    properties("rmigate.user", "ann", "rmigate.password-file", secret.toString()),
                    Map.of()))
        .hasMessage(
            "two logins: system property rmigate.user and javaagent argument token-file; choose one");
    assertThatThrownBy(
            () -> of("gw,proxy=http://a:b@p:1,proxy-user=ann,proxy-password-file=" + secret))
        .hasMessageContaining("two logins at the HTTP proxy");
  }

  @Test
  void proxyForms() throws IOException {
    assertThat(proxy("p.example:3128"))
        .isEqualTo(new HttpProxy(false, "p.example", 3128, Optional.empty()))
        .hasToString("HTTP proxy p.example:3128");
    assertThat(proxy("https://p.example:3128"))
        .isEqualTo(new HttpProxy(true, "p.example", 3128, Optional.empty()))
        .hasToString("HTTP proxy https://p.example:3128");
    assertThat(proxy("[fd00::1]:3128").host()).isEqualTo("fd00::1");

    HttpProxy proxy = proxy("http://a%3Ab:c+d%40@p:1/");
    assertThat(proxy.login().orElseThrow().user()).isEqualTo("a:b");
    assertThat(proxy.login().orElseThrow().password().read()).isEqualTo("c+d@");
    assertThat(proxy.toString() + proxy.login()).doesNotContain("c+d");
  }

  private static HttpProxy proxy(String text) {
    ProxySource source = of("gw,proxy=" + text).proxyTowards(GATEWAY);
    assertThat(source.origin()).isEqualTo("javaagent argument proxy");
    return ((ProxySource.Fixed) source).proxy();
  }

  @Test
  void aPinMayBeginWithASlash() {
    String digest = "/18UZ9guAyTB8uUZSYFWFE686Uke2/tuGgTprCe9kIU=";
    for (String written : new String[] {"sha256/" + digest, "sha256//" + digest}) {
      assertThat(of("gw,pin=" + written).tls().pins()).containsExactly(new CertificatePin(digest));
    }
  }

  @Test
  void pinsMayBeSeveral() {
    assertThat(of("gw,pin=" + PIN + "+" + PIN.replace("47", "48")).tls().pins())
        .extracting(CertificatePin::toString)
        .containsExactly(PIN, PIN.replace("47", "48"));
    assertThat(of("gw,pin=sha256//" + PIN.substring(7)).tls().pins())
        .extracting(CertificatePin::toString)
        .containsExactly(PIN); // as curl writes it
  }

  @Test
  void secretIsReadAtEachUse() throws IOException {
    Path file = secret();
    Secret secret = Secret.ofFile(ConfigKey.PASSWORD_FILE, file);

    assertThat(secret.read()).isEqualTo("one");
    Files.writeString(file, "two\r\nthree");
    assertThat(secret.read()).isEqualTo("two");
    Files.delete(file);
    assertThatThrownBy(secret::read)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("password-file " + file + " cannot be read");
  }

  @ParameterizedTest
  @CsvSource({"'', is empty", "'\n', is empty", "'a\tb', control character"})
  void unusableSecretsAreRefused(String content, String saying) throws IOException {
    Path file = Files.writeString(directory.resolve("s"), content);

    assertThatThrownBy(() -> Secret.ofFile(ConfigKey.TOKEN_FILE, file).read())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("token-file " + file)
        .hasMessageContaining(saying);
  }

  @Test
  void hugeSecretFileIsNotReadWhole() throws IOException {
    Path file = Files.write(directory.resolve("huge"), new byte[Secret.MAX_BYTES + 1]);

    assertThatThrownBy(() -> Secret.ofFile(ConfigKey.TOKEN_FILE, file).read())
        .hasMessageContaining("larger than");
  }

  @ParameterizedTest
  @EnumSource
  void everyKeyIsInTheHelpWithMeaningUnitAndDefault(ConfigKey key) {
    assertThat(ConfigKey.help().lines()).allMatch(line -> line.length() <= 100);
    assertThat(ConfigKey.help().replaceAll("\\s+", " "))
        .contains(" " + key.key() + " ")
        .contains(key.meaning())
        .contains(key.unit() + "; default: " + key.defaultText());
    assertThat(ConfigKey.byName(key.key())).contains(key);
    assertThat(key.property()).isEqualTo("rmigate." + key.key());
    assertThat(key.environmentVariable()).matches("RMIGATE_[A-Z_]+");
  }

  @Test
  void noTwoKeysAreTakenForEachOther() {
    assertThat(Arrays.stream(ConfigKey.values()).map(ConfigKey::key)).doesNotHaveDuplicates();
    for (ConfigKey key : ConfigKey.values()) {
      assertThat(ConfigKey.nearestTo(key.key())).contains(key);
    }
  }

  @Test
  void callTimeoutsAreForAllCallsForTargetsAndForInterfaces() {
    CallTimeouts timeouts =
        of("http://gw,call-timeout=30s|*.slow.example:*=5m|com.acme.Reports=0s").callTimeouts();

    assertThat(timeouts.all()).isEqualTo(Duration.ofSeconds(30));
    assertThat(timeouts.targets())
        .singleElement()
        .satisfies(
            rule -> {
              assertThat(rule.targets().matches("a.slow.example", 1)).isTrue();
              assertThat(rule.targets().matches("a.example", 1)).isFalse();
              assertThat(rule.limit()).isEqualTo(Duration.ofMinutes(5));
            });
    assertThat(timeouts.interfaces())
        .singleElement()
        .satisfies(
            rule -> {
              assertThat(rule.names().matches("com.acme.Reports")).isTrue();
              assertThat(rule.limit()).isZero();
            });
    assertThat(of("http://gw").callTimeouts().isEmpty()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"30s|5s", "30", "com.acme/Reports=1s", "a:b:c=1s", "=1s", "-1s"})
  void unusableCallTimeoutsAreRefused(String value) {
    assertThatThrownBy(() -> of("http://gw,call-timeout=" + value))
        .isInstanceOf(ClientConfigException.class)
        .hasMessageContaining("call-timeout");
  }

  private Path secret() throws IOException {
    return Files.writeString(directory.resolve("secret"), "one\n");
  }

  private static ClientConfig of(String arguments) {
    return ClientConfig.fromAgentArguments(arguments, new Properties(), Map.of());
  }

  private static Properties properties(String... pairs) {
    Properties properties = new Properties();
    for (int i = 0; i < pairs.length; i += 2) {
      properties.setProperty(pairs[i], pairs[i + 1]);
    }
    return properties;
  }
}

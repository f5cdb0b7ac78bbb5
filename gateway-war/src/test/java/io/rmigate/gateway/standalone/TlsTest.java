package io.rmigate.gateway.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.gateway.config.GatewayConfig;
import io.rmigate.gateway.problem.ConfigException;
import io.rmigate.testing.KeytoolCommand;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS, client certificates as logins, and new keys without a restart; keys made by keytool. */
class TlsTest {
  private static final String PASSWORD = "changeit";

  @TempDir static Path keys;
  @TempDir Path directory;

  @BeforeAll
  static void makeKeys() throws Exception {
    makeKey("server", "CN=localhost", "san=ip:127.0.0.1");
    makeKey("next", "CN=localhost", "san=ip:127.0.0.1,dns:next.example");
    makeKey("alice", "CN=Some user", "san=email:alice@example.org,dns:second.example");
    makeKey("bob", "CN=bob,O=Example", "eku=clientAuth");
    makeKey("webserver", "CN=bob,O=Example", "eku=serverAuth");
    makeKey("stranger", "CN=bob,O=Example", "eku=clientAuth");
    KeyStore authorities = certificates("alice", "bob", "webserver");
    try (OutputStream file = Files.newOutputStream(keys.resolve("trust.p12"))) {
      authorities.store(file, PASSWORD.toCharArray());
    }
    Files.writeString(keys.resolve("password"), PASSWORD + "\n");
  }

  private static void makeKey(String name, String subject, String extension) throws Exception {
    KeytoolCommand.run(
        keys.resolve(name + ".p12"),
        PASSWORD,
        "-genkeypair",
        "-alias",
        name,
        "-keyalg",
        "EC",
        "-groupname",
        "secp256r1",
        "-validity",
        "30",
        "-dname",
        subject,
        "-ext",
        extension);
  }

  private static KeyStore open(String file) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream content = Files.newInputStream(keys.resolve(file))) {
      store.load(content, PASSWORD.toCharArray());
    }
    return store;
  }

  private static KeyStore certificates(String... names) throws Exception {
    KeyStore certificates = KeyStore.getInstance("PKCS12");
    certificates.load(null, null);
    for (String name : names) {
      certificates.setCertificateEntry(name, open(name + ".p12").getCertificate(name));
    }
    return certificates;
  }

  /** A client that trusts both server keys and shows {@code own}, or nothing. */
  private static HttpClient client(String own) throws Exception {
    KeyStore trusted = certificates("server", "next");
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    KeyManagerFactory key = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    key.init(own == null ? null : open(own + ".p12"), PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(key.getKeyManagers(), trust.getTrustManagers(), null);
    return HttpClient.newBuilder().sslContext(context).build();
  }

  private String yaml(String clientAuth) throws IOException {
    Files.copy(
        keys.resolve("server.p12"),
        directory.resolve("server.p12"),
        StandardCopyOption.REPLACE_EXISTING);
    return """
    tls:
      keystore: server.p12
      password-file: %s/password
      client-auth: %s
      truststore: %s/trust.p12
    logins:
      client-certificate: true
    targets:
      - principals: ["*"]
        allow: ["rmi.example:*"]
    admin:
      principals: [alice@example.org, "CN=bob,O=Example"]
    """
        .formatted(keys, clientAuth, keys);
  }

  private int status(RunningGateway gateway, HttpClient client) throws Exception {
    return status(java.net.URI.create(gateway.uri() + "/admin"), client);
  }

  private static int status(java.net.URI uri, HttpClient client) throws Exception {
    return client
        .send(
            java.net.http.HttpRequest.newBuilder(uri).build(),
            java.net.http.HttpResponse.BodyHandlers.ofString())
        .statusCode();
  }

  @Test
  void theNameIsTheFirstAlternativeAndNeverTheSubject() throws Exception {
    try (RunningGateway gateway = RunningGateway.start(directory, yaml("want"), client(null))) {
      assertThat(gateway.uri().getScheme()).isEqualTo("https");
      assertThat(status(gateway, client("alice"))).isEqualTo(200);
      assertThat(status(gateway, client("bob"))).isEqualTo(401);
    }
  }

  @Test
  void withoutAGoodCertificateNobodyComesIn() throws Exception {
    try (RunningGateway gateway = RunningGateway.start(directory, yaml("want"), client(null))) {
      assertThat(status(gateway, client(null))).isEqualTo(401);
      assertThat(gateway.get("/health/ready").statusCode()).isEqualTo(200);
      assertThat(status(gateway, client("webserver"))).isEqualTo(401);
      // Carries the name of an authority, but is not signed by it.
      assertThatThrownBy(() -> status(gateway, client("stranger"))).isInstanceOf(IOException.class);
    }
  }

  @Test
  void neededCertificatesAreNeeded() throws Exception {
    try (RunningGateway gateway = RunningGateway.start(directory, yaml("need"), client(null))) {
      assertThatThrownBy(() -> status(gateway, client(null))).isInstanceOf(IOException.class);
      assertThat(status(gateway, client("alice"))).isEqualTo(200);
    }
  }

  @Test
  void newKeysAreUsedWithoutARestartAndBrokenOnesAreNot() throws Exception {
    try (RunningGateway gateway = RunningGateway.start(directory, yaml("want"), client(null))) {
      assertThat(serverNames(gateway)).hasSize(1);

      Files.writeString(directory.resolve("server.p12"), "not a keystore");
      assertThat(gateway.bootstrap().watcher().reloadIfChanged()).isFalse();
      assertThat(serverNames(gateway)).hasSize(1);

      Files.copy(
          keys.resolve("next.p12"),
          directory.resolve("server.p12"),
          StandardCopyOption.REPLACE_EXISTING);
      assertThat(gateway.bootstrap().watcher().reloadIfChanged()).isTrue();
      assertThat(serverNames(gateway)).hasSize(2);
    }
  }

  @Test
  void clientsReachItByTheNamesOfItsCertificate() throws Exception {
    try (RunningGateway gateway = RunningGateway.start(directory, yaml("want"), client(null))) {
      assertThat(statusFor("next.example", gateway)).isEqualTo("HTTP/1.1 421");
      Files.copy(
          keys.resolve("next.p12"),
          directory.resolve("server.p12"),
          StandardCopyOption.REPLACE_EXISTING);
      assertThat(gateway.bootstrap().watcher().reloadIfChanged()).isTrue();

      assertThat(statusFor("next.example", gateway)).isEqualTo("HTTP/1.1 401");
      assertThat(statusFor("evil.example", gateway)).isEqualTo("HTTP/1.1 421");
    }
  }

  @Test
  void aCertificateWithoutAlternativeNamesHasItsCommonName() throws Exception {
    makeKey("old", "CN=Old.example,O=next.example", "eku=serverAuth");
    String yaml = yaml("want");
    Files.copy(
        keys.resolve("old.p12"),
        directory.resolve("server.p12"),
        StandardCopyOption.REPLACE_EXISTING);
    try (RunningGateway gateway = RunningGateway.start(directory, yaml, client(null))) {
      assertThat(statusFor("old.example", gateway)).isEqualTo("HTTP/1.1 401");
      assertThat(statusFor("next.example", gateway)).isEqualTo("HTTP/1.1 421");
    }
  }

  /** The beginning of the answer to a request for that host, of a client that trusts any server. */
  private static String statusFor(String host, RunningGateway gateway) throws Exception {
    SSLContext trusting = SSLContext.getInstance("TLS");
    trusting.init(null, new TrustManager[] {new AnyServer()}, null);
    try (Socket socket =
        trusting
            .getSocketFactory()
            .createSocket(InetAddress.getLoopbackAddress(), gateway.uri().getPort())) {
      String request =
          "GET %s/admin HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n"
              .formatted(gateway.uri().getPath(), host);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(
          socket.getInputStream().readNBytes("HTTP/1.1 200".length()), StandardCharsets.US_ASCII);
    }
  }

  /** The certificate is what the test makes; who has it is not the question here. */
  private static final class AnyServer implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }

  private static java.util.Collection<List<?>> serverNames(RunningGateway gateway)
      throws Exception {
    var response =
        client(null)
            .send(
                java.net.http.HttpRequest.newBuilder(java.net.URI.create(gateway.uri() + "/health"))
                    .build(),
                java.net.http.HttpResponse.BodyHandlers.discarding());
    var session = response.sslSession().orElseThrow();
    assertThat(session.getProtocol()).isIn("TLSv1.3", "TLSv1.2");
    return ((X509Certificate) session.getPeerCertificates()[0]).getSubjectAlternativeNames();
  }

  @Test
  void administrationOfItsOwnAddressAsksForTheSameCertificates() throws Exception {
    String yaml = yaml("want") + "  listen: 127.0.0.1:0\n";
    try (RunningGateway gateway = RunningGateway.start(directory, yaml, client(null))) {
      java.net.URI admin = java.net.URI.create(gateway.adminUri().orElseThrow() + "/admin");
      assertThat(admin.getScheme()).isEqualTo("https");
      assertThat(status(admin, client("alice"))).isEqualTo(200);
      assertThat(status(admin, client(null))).isEqualTo(401);
      assertThat(status(gateway, client("alice"))).isEqualTo(404);
    }
  }

  @Test
  void aWrongPasswordIsSaidAtTheStart() throws Exception {
    String wrong = yaml("want").replace(keys + "/password", "wrong");
    Files.writeString(directory.resolve("wrong"), "incorrect\n");

    assertThatThrownBy(() -> RunningGateway.start(directory, wrong))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("server.p12: tls.keystore: cannot be opened as PKCS12 or JKS");
  }

  /** Java's own clients do not even say such a hello. */
  @Test
  void oldProtocolsAreRefused() throws Exception {
    try (RunningGateway gateway = RunningGateway.start(directory, yaml("want"), client(null))) {
      assertThat(firstAnswer(gateway, 0x0302))
          .as("a fatal alert: protocol_version (RFC 8446, section 6.2)")
          .endsWith(2, 70)
          .startsWith(21);
      assertThat(firstAnswer(gateway, 0x0303)).as("a handshake").startsWith(22);
    }
    GatewayConfig config = GatewayConfig.load(directory.resolve("rmigate.yaml"), Map.of());
    assertThat(EmbeddedServer.check(config).orElseThrow().contextFactory().getIncludeProtocols())
        .as("not those of the JVM")
        .containsExactlyInAnyOrder("TLSv1.2", "TLSv1.3");
  }

  /** The first seven bytes that a hello of this version is answered with. */
  private static byte[] firstAnswer(RunningGateway gateway, int version) throws IOException {
    String hello =
        "%04x".formatted(version)
            + "00".repeat(32) // random
            + "00" // no session
            + "0006" // suites: ECDHE-ECDSA with AES-128, by CBC and GCM, and RSA with AES-128
            + "c009c02b002f"
            + "0100" // no compression
            + "001c" // extensions
            + "000a000400020017" // groups: secp256r1
            + "000b00020100" // points: uncompressed
            + "000d000a0008040308040401"
            + "0203"; // signatures
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), gateway.uri().getPort())) {
      String handshake = "01" + "%06x".formatted(hello.length() / 2) + hello;
      String written = "160301" + "%04x".formatted(handshake.length() / 2) + handshake;
      socket.getOutputStream().write(HexFormat.of().parseHex(written));
      return socket.getInputStream().readNBytes(7);
    }
  }

  /** Of a keystore whose keys have passwords of their own only some might be opened. */
  @Test
  void keysOfWhichOneCannotBeOpenedAreRefusedAndTheOnesBeforeStay() throws Exception {
    try (RunningGateway gateway = RunningGateway.start(directory, yaml("want"), client(null))) {
      KeyStore both = KeyStore.getInstance("JKS");
      both.load(null, null);
      for (String name : List.of("next", "bob")) {
        KeyStore own =
            KeyStore.getInstance(keys.resolve(name + ".p12").toFile(), PASSWORD.toCharArray());
        String password = name.equals("next") ? PASSWORD : "another one";
        both.setKeyEntry(
            name,
            own.getKey(name, PASSWORD.toCharArray()),
            password.toCharArray(),
            own.getCertificateChain(name));
      }
      try (OutputStream file = Files.newOutputStream(directory.resolve("server.p12"))) {
        both.store(file, PASSWORD.toCharArray());
      }

      assertThat(gateway.bootstrap().watcher().reloadIfChanged()).isFalse();
      assertThat(serverNames(gateway)).hasSize(1);
    }
  }
}

package io.rmigate.gateway.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.gateway.config.ConfigException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.http.HttpClient;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
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
    makeKey("alice", "CN=Somebody", "san=email:alice@example.org,dns:second.example");
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
    keytool(
        "-genkeypair",
        "-keystore",
        name + ".p12",
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

  private static void keytool(String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(arguments));
    command.addAll(List.of("-storepass", PASSWORD, "-storetype", "PKCS12"));
    Process process =
        new ProcessBuilder(command).directory(keys.toFile()).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), Charset.defaultCharset());
    assertThat(process.waitFor()).as(output).isZero();
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
    return client
        .send(
            java.net.http.HttpRequest.newBuilder(java.net.URI.create(gateway.uri() + "/admin"))
                .build(),
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
  void aWrongPasswordIsSaidAtTheStart() throws Exception {
    String wrong = yaml("want").replace(keys + "/password", "wrong");
    Files.writeString(directory.resolve("wrong"), "incorrect\n");

    assertThatThrownBy(() -> RunningGateway.start(directory, wrong))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("server.p12: tls.keystore: cannot be opened as PKCS12 or JKS");
  }

  @Test
  void oldProtocolsAreRefused() throws Exception {
    try (RunningGateway gateway = RunningGateway.start(directory, yaml("want"), client(null))) {
      javax.net.ssl.SSLParameters old = new javax.net.ssl.SSLParameters();
      old.setProtocols(new String[] {"TLSv1.1"});
      HttpClient client =
          HttpClient.newBuilder().sslContext(client(null).sslContext()).sslParameters(old).build();
      assertThatThrownBy(() -> status(gateway, client)).isInstanceOf(SSLException.class);
    }
  }
}

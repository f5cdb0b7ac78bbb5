package io.rmigate.gateway.standalone;

import static io.rmigate.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.gateway.problem.ConfigException;
import io.rmigate.testing.KeytoolCommand;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** T47: who shows a certificate that its authority has revoked; keys and lists made by keytool. */
class RevocationListsTest {
  private static final String PASSWORD = "changeit";

  @TempDir static Path keys;
  @TempDir Path directory;

  @BeforeAll
  static void makeKeys() throws Exception {
    makeKey("server", "san=ip:127.0.0.1");
    makeKey("authority", "bc:c=ca:true");
    makeKey("another", "bc:c=ca:true");
    makeKey("CN=authority", "impostor", "bc:c=ca:true", new String[0]);
    makeKey("carol", "san=email:carol@example.org", "-signer", "authority");
    makeKey("dave", "san=email:dave@example.org", "-signer", "authority");
    makeKey("erin", "san=email:erin@example.org", "-signer", "another");
    only("server", "server.p12");
    store(certificates("authority", "another"), "trust.p12");
    Files.writeString(keys.resolve("password"), PASSWORD + "\n");
    makeList("none.pem", "authority", "-rfc");
    makeList("carol.pem", "authority", "-rfc", "-id", serial("carol"));
    makeList("carol.der", "authority", "-id", serial("carol"));
    makeList("another.pem", "another", "-rfc");
    makeList("old.pem", "authority", "-rfc", "-startdate", "-10d", "-validity", "5");
    makeList("forged.pem", "impostor", "-rfc");
  }

  private static void makeKey(String name, String extension, String... more) throws Exception {
    makeKey("CN=" + name, name, extension, more);
  }

  private static void makeKey(String subject, String name, String extension, String[] more)
      throws Exception {
    List<String> arguments =
        new ArrayList<>(List.of("-genkeypair", "-alias", name, "-keyalg", "EC", "-groupname"));
    arguments.addAll(List.of("secp256r1", "-validity", "30", "-dname", subject));
    arguments.addAll(List.of("-ext", extension));
    arguments.addAll(List.of(more));
    keytool(arguments);
  }

  private static void makeList(String file, String issuer, String... more) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("-gencrl", "-alias", issuer, "-file"));
    arguments.add(keys.resolve(file).toString());
    arguments.addAll(List.of(more));
    if (!arguments.contains("-id")) {
      arguments.addAll(List.of("-id", "1")); // of no certificate of the tests
    }
    keytool(arguments);
  }

  private static void keytool(List<String> arguments) throws Exception {
    KeytoolCommand.run(keys.resolve("all.p12"), PASSWORD, arguments.toArray(String[]::new));
  }

  private static KeyStore all() throws Exception {
    return KeyStore.getInstance(keys.resolve("all.p12").toFile(), PASSWORD.toCharArray());
  }

  private static String serial(String name) throws Exception {
    return ((X509Certificate) all().getCertificate(name)).getSerialNumber().toString();
  }

  private static KeyStore certificates(String... names) throws Exception {
    KeyStore certificates = KeyStore.getInstance("PKCS12");
    certificates.load(null, null);
    for (String name : names) {
      certificates.setCertificateEntry(name, all().getCertificate(name));
    }
    return certificates;
  }

  private static KeyStore key(String name) throws Exception {
    char[] password = PASSWORD.toCharArray();
    KeyStore key = KeyStore.getInstance("PKCS12");
    key.load(null, null);
    key.setKeyEntry(name, all().getKey(name, password), password, all().getCertificateChain(name));
    return key;
  }

  private static void only(String name, String file) throws Exception {
    store(key(name), file);
  }

  private static void store(KeyStore store, String file) throws Exception {
    try (OutputStream content = Files.newOutputStream(keys.resolve(file))) {
      store.store(content, PASSWORD.toCharArray());
    }
  }

  /** The lists in force, of these files. */
  private void lists(String... files) throws IOException {
    try (OutputStream content = Files.newOutputStream(directory.resolve("lists"))) {
      for (String file : files) {
        content.write(Files.readAllBytes(keys.resolve(file)));
      }
    }
  }

  private RunningGateway start(String truststore) throws Exception {
    String yaml =
        """
        tls:
          keystore: %1$s/server.p12
          password-file: %1$s/password
          client-auth: want
          truststore: %1$s/%2$s
          crl-file: lists
        logins:
          client-certificate: true
        targets:
          - principals: ["*"]
            allow: ["rmi.example:*"]
        admin:
          principals: [carol@example.org, dave@example.org, erin@example.org]
        """;
    return RunningGateway.start(directory, yaml.formatted(keys, truststore));
  }

  private static SSLContext client(String name) throws Exception {
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(certificates("server"));
    KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(key(name), PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  /** What the server answers on a connection of its own. */
  private static String ask(RunningGateway gateway, SSLContext client) throws IOException {
    InetAddress here = InetAddress.getLoopbackAddress();
    int port = gateway.uri().getPort();
    try (SSLSocket socket = (SSLSocket) client.getSocketFactory().createSocket(here, port)) {
      socket.setSoTimeout((int) PATIENCE.toMillis());
      String request =
          "GET /rmigate/admin HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      InputStream answer = socket.getInputStream();
      String status = new String(answer.readNBytes(12), StandardCharsets.US_ASCII);
      answer.readAllBytes(); // with what it needs to resume
      return status;
    }
  }

  private static void assertLetIn(RunningGateway gateway, SSLContext client) throws IOException {
    assertThat(ask(gateway, client)).isEqualTo("HTTP/1.1 200");
  }

  private static void assertKeptOut(RunningGateway gateway, SSLContext client) {
    assertThatThrownBy(() -> ask(gateway, client)).isInstanceOf(IOException.class);
  }

  @Test
  void whoIsListedIsKeptOutAndNobodyElse() throws Exception {
    lists("carol.pem", "another.pem");
    try (RunningGateway gateway = start("trust.p12")) {
      assertKeptOut(gateway, client("carol"));
      assertLetIn(gateway, client("dave"));
      assertLetIn(gateway, client("erin"));
    }
  }

  @Test
  void withoutACurrentListOfTheirIssuerAllAreKeptOut() throws Exception {
    lists("old.pem", "another.pem");
    try (RunningGateway gateway = start("trust.p12")) {
      assertKeptOut(gateway, client("dave"));
      assertLetIn(gateway, client("erin"));

      lists("none.pem");
      assertThat(gateway.bootstrap().watcher().reloadIfChanged()).isTrue();
      assertLetIn(gateway, client("dave"));
      assertKeptOut(gateway, client("erin"));
    }
  }

  @Test
  void aListThatTheAuthorityHasNotSignedIsNone() throws Exception {
    lists("forged.pem", "another.pem");
    try (RunningGateway gateway = start("trust.p12")) {
      assertKeptOut(gateway, client("dave"));
      assertLetIn(gateway, client("erin"));
    }
  }

  @Test
  void aNewListCountsAtOnceForWhoComesBackToo() throws Exception {
    lists("none.pem", "another.pem");
    try (RunningGateway gateway = start("trust.p12")) {
      SSLContext carol = client("carol");
      SSLContext dave = client("dave");
      assertLetIn(gateway, carol);
      assertLetIn(gateway, carol);

      lists("carol.der");
      assertThat(gateway.bootstrap().watcher().reloadIfChanged()).isTrue();

      assertKeptOut(gateway, carol);
      assertLetIn(gateway, dave);
    }
  }

  @Test
  void aBrokenListIsRefusedAndTheOneBeforeStays() throws Exception {
    lists("carol.pem");
    try (RunningGateway gateway = start("trust.p12")) {
      for (String broken :
          List.of("", "-----BEGIN X509 CRL-----\nnone\n-----END X509 CRL-----\n")) {
        Files.writeString(directory.resolve("lists"), broken);
        assertThat(gateway.bootstrap().watcher().reloadIfChanged()).as(broken).isFalse();
      }
      assertKeptOut(gateway, client("carol"));
      assertLetIn(gateway, client("dave"));
    }
  }

  @Test
  void whatIsTrustedItselfIsNoAuthority() throws Exception {
    lists("carol.pem");
    store(certificates("authority", "carol"), "itself.p12");

    assertThatThrownBy(() -> start("itself.p12"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("itself.p12: tls.truststore: holds CN=carol, which is no authority");
  }
}

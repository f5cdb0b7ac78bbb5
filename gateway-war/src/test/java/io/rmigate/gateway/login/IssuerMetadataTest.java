package io.rmigate.gateway.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.rmigate.gateway.testing.DevelopmentCertificate;
import io.rmigate.gateway.testing.LogLines;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An issuer of which nothing is configured but its name: a real server with HTTPS. */
class IssuerMetadataTest {
  private static final String METADATA = "/realm/.well-known/openid-configuration";

  @TempDir static Path certificates;
  private static SSLContext defaultBefore;
  private static SSLContext ofServer;

  @TempDir Path directory;
  private final LogLines log = new LogLines(Login.class);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final Map<String, String> said = new ConcurrentHashMap<>();
  private final CountDownLatch goOn = new CountDownLatch(1);
  private ECKey key;
  private HttpsServer issuer;

  @BeforeAll
  static void trustTheServer() throws Exception {
    DevelopmentCertificate certificate = DevelopmentCertificate.create(certificates);
    char[] password = certificate.password().toCharArray();
    KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
    keys.init(KeyStore.getInstance(certificate.keystore().toFile(), password), password);
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(KeyStore.getInstance(certificate.truststore().toFile(), password));
    ofServer = SSLContext.getInstance("TLS");
    ofServer.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    defaultBefore = SSLContext.getDefault();
    SSLContext.setDefault(ofServer);
  }

  @AfterAll
  static void trustAsBefore() {
    SSLContext.setDefault(defaultBefore);
  }

  @BeforeEach
  void startIssuer() throws Exception {
    key = new ECKeyGenerator(Curve.P_256).keyID("first").generate();
    issuer = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    issuer.setHttpsConfigurator(new HttpsConfigurator(ofServer));
    issuer.createContext("/", this::answer);
    issuer.setExecutor(threads);
    issuer.start();
    say(METADATA, metadata(name(), address() + "/keys"));
    say("/keys", new JWKSet(key.toPublicJWK()).toString());
  }

  @AfterEach
  void stopIssuer() {
    goOn.countDown();
    issuer.stop(0);
    threads.shutdownNow();
    log.close();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      asked.add(path);
      byte[] body = said.getOrDefault(path, "").getBytes(StandardCharsets.UTF_8);
      if (path.equals("/for-ever")) {
        exchange.sendResponseHeaders(200, 1000);
        exchange.getResponseBody().write('{');
        exchange.getResponseBody().flush();
        goOn.await();
        return;
      }
      exchange.sendResponseHeaders(said.containsKey(path) ? 200 : 404, body.length);
      exchange.getResponseBody().write(body);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void say(String path, String body) {
    said.put(path, body);
  }

  private static String metadata(String issuer, String jwks) {
    return "{\"issuer\":\"%s\",\"jwks_uri\":\"%s\",\"response_types_supported\":[\"code\"]}"
        .formatted(issuer, jwks);
  }

  private String address() {
    return "https://127.0.0.1:" + issuer.getAddress().getPort();
  }

  private String name() {
    return address() + "/realm";
  }

  private LoginServer gateway() throws Exception {
    return LoginServer.start(
        directory,
        "bearer:\n  issuer: " + name() + "\n  audience: rmigate\n  algorithms: [ES256]\n",
        "insecure: true\n");
  }

  private String token(ECKey signer) throws Exception {
    SignedJWT token =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(signer.getKeyID()).build(),
            new JWTClaimsSet.Builder()
                .issuer(name())
                .audience("rmigate")
                .subject("alice")
                .expirationTime(Date.from(Instant.now().plusSeconds(300)))
                .build());
    token.sign(new ECDSASigner(signer));
    return "Bearer " + token.serialize();
  }

  /** An issuer that was configured with a slash too many is right once that is taken out. */
  @Test
  void issuersThatHaveTheirMetadataAtOneAddressAreTwo() throws Exception {
    KeySets kept = new KeySets();
    URI metadata = URI.create(address() + METADATA);
    assertThat(kept.of(name(), metadata))
        .isSameAs(kept.of(name(), metadata))
        .isNotSameAs(kept.of(name() + "/", metadata));
  }

  @Test
  void theNameOfTheIssuerIsEnoughAndItsKeysAreKept() throws Exception {
    try (LoginServer gateway = gateway()) {
      for (int login = 0; login < 3; login++) {
        assertThat(gateway.get("Authorization", token(key)).body()).isEqualTo("alice BEARER");
      }
    }
    assertThat(asked).containsExactly(METADATA, "/keys");
  }

  @Test
  void keysThatTheIssuerHasMovedAndChangedAreFound() throws Exception {
    try (LoginServer gateway = gateway()) {
      assertThat(gateway.get("Authorization", token(key)).statusCode()).isEqualTo(200);
      ECKey next = new ECKeyGenerator(Curve.P_256).keyID("next").generate();
      say(METADATA, metadata(name(), address() + "/moved"));
      say("/moved", new JWKSet(next.toPublicJWK()).toString());

      assertThat(gateway.get("Authorization", token(next)).body()).isEqualTo("alice BEARER");
      assertThat(gateway.get("Authorization", token(key)).statusCode()).isEqualTo(401);
    }
    assertThat(asked).startsWith(METADATA, "/keys", METADATA, "/moved").doesNotContain("/realm");
  }

  @Test
  void metadataOfAnotherIssuerAreRefused() throws Exception {
    say(METADATA, metadata(name() + "/", address() + "/keys"));
    assertNobodyComesIn("is about the issuer " + name() + "/");
  }

  @Test
  void keysAreTakenFromHttpsOnly() throws Exception {
    say(METADATA, metadata(name(), address().replace("https", "http") + "/keys"));
    assertNobodyComesIn("no https:// address");
    say(METADATA, "{\"issuer\":\"" + name() + "\"}");
    assertNobodyComesIn("no https:// address");
  }

  @Test
  void whatIsNoMetadataIsRefused() throws Exception {
    say(METADATA, "<html>");
    assertNobodyComesIn("is no metadata of an issuer");
    said.remove(METADATA);
    assertNobodyComesIn("answers 404");
    say(METADATA, metadata(name(), address() + "/keys") + " ".repeat(300_000));
    assertNobodyComesIn("more than 262144 bytes");
  }

  private void assertNobodyComesIn(String reason) throws Exception {
    int before = log.all().size();
    asked.clear();
    try (LoginServer gateway = gateway()) {
      assertThat(gateway.get("Authorization", token(key)).statusCode()).isEqualTo(401);
    }
    assertThat(asked).isNotEmpty().doesNotContain("/keys");
    assertThat(log.all().subList(before, log.all().size()))
        .singleElement()
        .asString()
        .contains(reason);
  }

  /** A time-out for the head of an answer alone would leave logins waiting. */
  @Test
  void anAnswerThatNeverEndsIsGivenUp() {
    JwksDownload download = new JwksDownload(Duration.ofSeconds(3));
    assertThatThrownBy(() -> download.retrieveResource(URI.create(address() + "/for-ever").toURL()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("/for-ever has not answered within 3000 ms");
    assertThat(asked).containsExactly("/for-ever");
  }
}

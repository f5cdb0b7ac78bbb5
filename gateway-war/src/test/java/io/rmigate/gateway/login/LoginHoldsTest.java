package io.rmigate.gateway.login;

import static io.rmigate.gateway.login.LoginServer.basic;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.rmigate.gateway.testing.DevelopmentCertificate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether a login that was accepted would still be accepted after changes of files. */
class LoginHoldsTest {
  private static final String INSECURE = "insecure: true\n";
  private static final String BASIC = "basic:\n  users-file: users\n";
  private static final String BEARER =
      """
      bearer:
        jwks: keys.json
        issuer: https://issuer.example/
        audience: rmigate
      """;

  @TempDir Path directory;

  private void users(String... linesOfNameAndPassword) throws Exception {
    StringBuilder lines = new StringBuilder();
    for (String line : linesOfNameAndPassword) {
      String[] parts = line.split(":", -1);
      lines.append(parts[0]).append(':');
      lines.append(PasswordHash.of(parts[1].toCharArray(), 1_000)).append('\n');
    }
    Files.writeString(directory.resolve("users"), lines);
  }

  private void addUser(String name, String password) throws Exception {
    Path file = directory.resolve("users");
    String hash = PasswordHash.of(password.toCharArray(), 1_000).toString();
    Files.writeString(file, Files.readString(file) + name + ":" + hash + "\n");
  }

  private Principal letIn(String logins, String more, String... headers) throws Exception {
    try (LoginServer server = LoginServer.start(directory, logins, more)) {
      assertThat(server.get(headers).statusCode()).isEqualTo(200);
      return server.accepted();
    }
  }

  private Login login(String logins) throws Exception {
    return LoginServer.login(directory, logins, INSECURE);
  }

  private Principal alice() throws Exception {
    return letIn(BASIC, INSECURE, "Authorization", basic("alice", "wonder"));
  }

  @Test
  void aLineOfTheUsersFileHoldsForAsLongAsItIsThere() throws Exception {
    users("alice:wonder");
    Principal alice = alice();
    assertThat(login(BASIC).holds(alice)).isTrue();

    addUser("bob", "build");
    assertThat(login(BASIC).holds(alice)).isTrue();

    users("bob:build");
    assertThat(login(BASIC).holds(alice)).isFalse();
  }

  @Test
  void aPasswordThatWasChangedHoldsNoMore() throws Exception {
    users("alice:wonder");
    Principal alice = alice();

    users("alice:land");

    assertThat(login(BASIC).holds(alice)).isFalse();
  }

  @Test
  void noLoginOutlivesItsScheme() throws Exception {
    users("alice:wonder");
    Principal alice = alice();
    assertThat(login("anonymous: true\n").holds(alice)).isFalse();
    assertThat(login("anonymous: true\n").holds(Principal.ANONYMOUS)).isTrue();
    assertThat(login(BASIC).holds(Principal.ANONYMOUS)).isFalse();
    Principal carol = letIn("container: true\n", INSECURE, "X-Container-User", "carol");
    assertThat(login("container: true\n").holds(carol)).isTrue();
    assertThat(login(BASIC).holds(carol)).isFalse();
  }

  @Test
  void ofSeveralProofsEachHasToHold() throws Exception {
    users("alice:wonder");
    String both = BASIC + "container: true\n";
    Principal alice =
        letIn(
            both, INSECURE, "Authorization", basic("alice", "wonder"), "X-Container-User", "alice");
    assertThat(login(both).holds(alice)).isTrue();

    users("alice:land");
    assertThat(login(both).holds(alice)).isFalse();
  }

  private static RSAKey key(String id) throws Exception {
    return new RSAKeyGenerator(2048).keyID(id).generate();
  }

  private void keys(RSAKey... keys) throws Exception {
    List<JWK> published = Stream.of(keys).<JWK>map(RSAKey::toPublicJWK).toList();
    Files.writeString(directory.resolve("keys.json"), new JWKSet(published).toString());
  }

  private Principal bearer(RSAKey key, String keyId) throws Exception {
    Instant now = Instant.now();
    SignedJWT token =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(keyId).build(),
            new JWTClaimsSet.Builder()
                .issuer("https://issuer.example/")
                .audience("rmigate")
                .subject("alice")
                .notBeforeTime(Date.from(now.minusSeconds(5)))
                .expirationTime(Date.from(now.plusSeconds(300)))
                .build());
    token.sign(new RSASSASigner(key));
    return letIn(BEARER, INSECURE, "Authorization", "Bearer " + token.serialize());
  }

  @Test
  void aTokenHoldsForAsLongAsItsKeyIsOneOfTheIssuers() throws Exception {
    RSAKey first = key("first");
    RSAKey second = key("second");
    keys(first, second);
    Principal named = bearer(second, "second");
    Principal unnamed = bearer(second, null);
    assertThat(List.of(named, unnamed)).allMatch(login(BEARER)::holds);

    keys(second);
    assertThat(List.of(named, unnamed)).allMatch(login(BEARER)::holds);

    keys(first, key("second"));
    assertThat(List.of(named, unnamed)).noneMatch(login(BEARER)::holds);
  }

  @Test
  void aTokenOfAnotherIssuerOrForSomebodyElseHoldsNoMore() throws Exception {
    RSAKey key = key("only");
    keys(key);
    Principal alice = bearer(key, "only");
    assertThat(login(BEARER.replace("issuer.example", "other.example")).holds(alice)).isFalse();
    assertThat(login(BEARER.replace("rmigate", "other")).holds(alice)).isFalse();
    assertThat(login(BEARER).holds(alice)).isTrue();
  }

  private String tls(DevelopmentCertificate own, DevelopmentCertificate authorities) {
    return """
    tls:
      keystore: %s
      password-file: %s
      client-auth: want
      truststore: %s
    """
        .formatted(own.keystore(), own.passwordFile(), authorities.truststore());
  }

  private static X509Certificate certificate(DevelopmentCertificate of) throws Exception {
    KeyStore store = KeyStore.getInstance(of.truststore().toFile(), of.password().toCharArray());
    return (X509Certificate) store.getCertificate("gateway");
  }

  @Test
  void aCertificateHoldsForAsLongAsAnAuthorityStandsForIt() throws Exception {
    DevelopmentCertificate own =
        DevelopmentCertificate.create(
            Files.createDirectories(directory.resolve("own")), "dns:alice");
    DevelopmentCertificate other =
        DevelopmentCertificate.create(Files.createDirectories(directory.resolve("other")));
    String logins = "client-certificate: true\n";
    Principal alice;
    try (LoginServer server = LoginServer.start(directory, logins, tls(own, own))) {
      server.shows(certificate(own));
      assertThat(server.get().body()).isEqualTo("alice CLIENT_CERTIFICATE");
      alice = server.accepted();
    }

    assertThat(LoginServer.login(directory, logins, tls(own, own)).holds(alice)).isTrue();
    assertThat(LoginServer.login(directory, logins, tls(own, other)).holds(alice)).isFalse();
    // In a container only that one knows whom it trusts.
    assertThat(login(logins).holds(alice)).isTrue();
  }

  @Test
  void aCertificateHoldsUntilItsAuthorityHasRevokedIt() throws Exception {
    DevelopmentCertificate own =
        DevelopmentCertificate.create(
            Files.createDirectories(directory.resolve("own")), "dns:alice");
    DevelopmentCertificate impostor =
        DevelopmentCertificate.create(Files.createDirectories(directory.resolve("impostor")));
    String logins = "client-certificate: true\n";
    X509Certificate certificate = certificate(own);
    X509Certificate another = certificate(impostor);
    Principal alice;
    try (LoginServer server = LoginServer.start(directory, logins, tls(own, own))) {
      server.shows(certificate);
      assertThat(server.get().body()).isEqualTo("alice CLIENT_CERTIFICATE");
      alice = server.accepted();
    }

    Path lists = directory.resolve("lists");
    String tls = tls(own, own) + "  crl-file: " + lists + "\n";
    own.revocationOf(another, lists);
    assertThat(LoginServer.login(directory, logins, tls).holds(alice)).isTrue();
    impostor.revocationOf(certificate, lists);
    assertThat(LoginServer.login(directory, logins, tls).holds(alice))
        .as("which the authority has not signed")
        .isTrue();
    own.revocationOf(certificate, lists);
    assertThat(LoginServer.login(directory, logins, tls).holds(alice)).isFalse();
  }
}

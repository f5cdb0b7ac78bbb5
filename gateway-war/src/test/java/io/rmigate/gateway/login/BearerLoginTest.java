package io.rmigate.gateway.login;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import io.rmigate.gateway.testing.LogLines;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BearerLoginTest {
  private static final String LOGINS =
      """
      bearer:
        jwks: keys.json
        issuer: https://issuer.example/
        audience: rmigate
      """;

  private static RSAKey rsa;
  private static ECKey ec;
  private static RSAKey foreign;

  @TempDir Path directory;
  private final LogLines log = new LogLines(Login.class);
  private LoginServer server;

  @BeforeAll
  static void makeKeys() throws JOSEException {
    rsa = new RSAKeyGenerator(2048).keyID("rsa").generate();
    ec = new ECKeyGenerator(Curve.P_256).keyID("ec").generate();
    foreign = new RSAKeyGenerator(2048).keyID("rsa").generate();
  }

  @BeforeEach
  void start() throws Exception {
    Files.writeString(
        directory.resolve("keys.json"),
        new JWKSet(List.of(rsa.toPublicJWK(), ec.toPublicJWK())).toString());
    server = LoginServer.start(directory, LOGINS, "insecure: true\n");
  }

  @AfterEach
  void stop() {
    server.close();
    log.close();
  }

  private static JWTClaimsSet.Builder good() {
    Instant now = Instant.now();
    return new JWTClaimsSet.Builder()
        .issuer("https://issuer.example/")
        .audience("rmigate")
        .subject("alice")
        .notBeforeTime(Date.from(now.minusSeconds(5)))
        .expirationTime(Date.from(now.plusSeconds(300)));
  }

  private static Date inSeconds(long seconds) {
    return Date.from(Instant.now().plusSeconds(seconds));
  }

  private static String signed(JWSHeader header, JWSSigner signer, JWTClaimsSet claims)
      throws JOSEException {
    SignedJWT token = new SignedJWT(header, claims);
    token.sign(signer);
    return token.serialize();
  }

  private static String rs256(JWTClaimsSet.Builder claims) throws JOSEException {
    return signed(
        new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("rsa").build(),
        new RSASSASigner(rsa),
        claims.build());
  }

  private void assertRefused(String token) throws Exception {
    int before = log.all().size();
    assertThat(server.get("Authorization", "Bearer " + token).statusCode()).isEqualTo(401);
    assertThat(log.all()).hasSize(before + 1);
    if (!token.isBlank()) {
      assertThat(log.all().get(before)).doesNotContain(token);
    }
  }

  @Test
  void aGoodTokenLetsIn() throws Exception {
    assertThat(server.get("Authorization", "Bearer " + rs256(good())).body())
        .isEqualTo("alice BEARER");
    String es256 =
        signed(
            new JWSHeader.Builder(JWSAlgorithm.ES256)
                .keyID("ec")
                .type(new JOSEObjectType("at+jwt"))
                .build(),
            new ECDSASigner(ec),
            good().build());
    assertThat(server.get("Authorization", "Bearer " + es256).body()).isEqualTo("alice BEARER");
    assertThat(server.get().headers().allValues("WWW-Authenticate"))
        .containsExactly("Bearer realm=\"rmigate\"");
  }

  @Test
  void anUnsignedTokenIsRefused() throws Exception {
    assertRefused(new PlainJWT(good().build()).serialize());
  }

  @Test
  void aPublicKeyIsNoSharedSecret() throws Exception {
    JWSHeader header = new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("rsa").build();
    assertRefused(signed(header, new MACSigner(rsa.toRSAPublicKey().getEncoded()), good().build()));
    assertRefused(
        signed(
            header,
            new MACSigner(rsa.toPublicJWK().toJSONString().getBytes(StandardCharsets.UTF_8)),
            good().build()));
  }

  @Test
  void anAlgorithmThatIsNotConfiguredIsRefused() throws Exception {
    assertRefused(
        signed(
            new JWSHeader.Builder(JWSAlgorithm.RS512).keyID("rsa").build(),
            new RSASSASigner(rsa),
            good().build()));
  }

  @Test
  void keysThatATokenBringsAlongAreNotLookedAt() throws Exception {
    for (JWSHeader header :
        List.of(
            new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("rsa").build(),
            new JWSHeader.Builder(JWSAlgorithm.RS256).jwk(foreign.toPublicJWK()).build(),
            new JWSHeader.Builder(JWSAlgorithm.RS256)
                .keyID("rsa")
                .jwkURL(URI.create("https://attacker.example/keys"))
                .build(),
            new JWSHeader.Builder(JWSAlgorithm.RS256)
                .x509CertURL(URI.create("https://attacker.example/cert"))
                .build())) {
      assertRefused(signed(header, new RSASSASigner(foreign), good().build()));
    }
  }

  @Test
  void aZeroSignatureIsNoSignature() throws Exception {
    String token =
        signed(
            new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("ec").build(),
            new ECDSASigner(ec),
            good().build());
    assertRefused(token.substring(0, token.lastIndexOf('.') + 1) + Base64URL.encode(new byte[64]));
  }

  @Test
  void timeIsCheckedWithAMinuteOfTolerance() throws Exception {
    assertRefused(rs256(good().expirationTime(inSeconds(-70))));
    assertRefused(rs256(good().notBeforeTime(inSeconds(70))));
    assertThat(
            server
                .get("Authorization", "Bearer " + rs256(good().expirationTime(inSeconds(-30))))
                .statusCode())
        .isEqualTo(200);
  }

  /** RFC 7519, section 4.1.5: the use of {@code nbf} is optional. */
  @Test
  void aTokenWithoutABeginningIsValidUntilItsEnd() throws Exception {
    String token = rs256(good().notBeforeTime(null));
    assertThat(server.get("Authorization", "Bearer " + token).body()).isEqualTo("alice BEARER");
    assertRefused(rs256(good().notBeforeTime(null).expirationTime(inSeconds(-70))));
  }

  @Test
  void aLoginEndsWithItsToken() throws Exception {
    Instant end = Instant.ofEpochSecond(Instant.now().getEpochSecond() + 1000);

    String ends =
        server
            .get("Authorization", "Bearer " + rs256(good().expirationTime(Date.from(end))))
            .headers()
            .firstValue("X-Login-Ends")
            .orElseThrow();

    assertThat(Instant.parse(ends)).isEqualTo(end.plusSeconds(60)); // the tolerance
  }

  @Test
  void issuerAndAudienceMustBeRight() throws Exception {
    assertRefused(rs256(good().issuer("https://issuer.example")));
    assertRefused(rs256(good().audience("another-audience")));
    assertRefused(rs256(good().audience(List.of())));
  }

  @Test
  void everyRequiredClaimMustBeThere() throws Exception {
    assertRefused(rs256(good().issuer(null)));
    assertRefused(rs256(good().audience((String) null)));
    assertRefused(rs256(good().expirationTime(null)));
    assertRefused(rs256(good().subject(null)));
    assertRefused(rs256(good().subject(" ")));
  }

  @Test
  void whatIsNoTokenIsRefused() throws Exception {
    assertRefused("");
    assertRefused("x");
    assertRefused("a.b.c");
    assertRefused("e30.e30.");
    assertRefused("A".repeat(9000));
    String good = rs256(good());
    assertRefused(good.substring(0, good.length() - 4));
    assertRefused(good + ".x");
  }

  @Test
  void overPlainHttpItIsRefusedUnlessConfigured() throws Exception {
    try (LoginServer strict = LoginServer.start(directory, LOGINS, "")) {
      assertThat(strict.get("Authorization", "Bearer " + rs256(good())).statusCode())
          .isEqualTo(401);
    }
  }
}

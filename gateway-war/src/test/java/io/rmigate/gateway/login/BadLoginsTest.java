package io.rmigate.gateway.login;

import static io.rmigate.gateway.login.LoginServer.basic;
import static org.assertj.core.api.Assertions.assertThat;

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
import io.rmigate.gateway.audit.AuditEntry;
import io.rmigate.gateway.audit.AuditEvent;
import io.rmigate.gateway.audit.AuditField;
import io.rmigate.gateway.audit.AuditOutcome;
import io.rmigate.gateway.audit.RecordedAudit;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** THREATS F15: a table of bad logins, each refused alike, and each in the audit. */
class BadLoginsTest {
  private static final String LOGINS =
      """
      basic:
        users-file: users
      bearer:
        jwks: keys.json
        issuer: https://issuer.example/
        audience: rmigate
      client-certificate: true
      """;

  /** Where the credential goes. */
  private record Case(String name, String path, List<String> headers, ScriptedCertificate shown) {}

  @TempDir Path directory;
  private final List<Case> cases = new ArrayList<>();
  private RSAKey rsa;
  private ECKey ec;
  private RSAKey foreign;

  private void header(String name, String... headers) {
    cases.add(new Case(name, "/", List.of(headers), null));
  }

  private void authorization(String name, String value) {
    header(name, "Authorization", value);
  }

  private void token(String name, String token) {
    authorization("JWT: " + name, "Bearer " + token);
  }

  private void url(String name, String query) {
    cases.add(new Case("URL: " + name, "/?" + query, List.of(), null));
  }

  private void certificate(String name, ScriptedCertificate shown, String... headers) {
    cases.add(new Case("certificate: " + name, "/", List.of(headers), shown));
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

  private static Date in(long seconds) {
    return Date.from(Instant.now().plusSeconds(seconds));
  }

  private static String signed(JWSHeader.Builder header, JWSSigner signer, JWTClaimsSet claims)
      throws Exception {
    SignedJWT token = new SignedJWT(header.build(), claims);
    token.sign(signer);
    return token.serialize();
  }

  private JWSHeader.Builder rs256() {
    return new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("rsa");
  }

  private String with(UnaryOperator<JWTClaimsSet.Builder> change) throws Exception {
    return signed(rs256(), new RSASSASigner(rsa), change.apply(good()).build());
  }

  private static String base64(String text) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String raw(String header, String claims, String signature) {
    return base64(header) + "." + base64(claims) + "." + signature;
  }

  private void tokens() throws Exception {
    String right = with(claims -> claims);
    String claims = good().build().toString();
    token("unsigned", new PlainJWT(good().build()).serialize());
    for (String none : List.of("none", "None", "NONE", "nOnE")) {
      token("alg " + none, raw("{\"alg\":\"" + none + "\"}", claims, ""));
    }
    token("without an algorithm", raw("{\"kid\":\"rsa\"}", claims, "AAAA"));
    token("without a signature", right.substring(0, right.lastIndexOf('.') + 1));
    token("two parts", right.substring(0, right.lastIndexOf('.')));
    token("four parts", right + ".AAAA");
    token("five parts", right + "..");
    token(
        "zero signature",
        raw("{\"alg\":\"ES256\",\"kid\":\"ec\"}", claims, base64("\0".repeat(64))));
    token(
        "signature of another",
        right.substring(0, right.lastIndexOf('.') + 1)
            + with(c -> c.subject("bob")).split("\\.", -1)[2]);
    String[] parts = right.split("\\.", -1);
    token(
        "claims of another",
        parts[0] + "." + with(c -> c.subject("root")).split("\\.", -1)[1] + "." + parts[2]);
    for (JWSAlgorithm hmac : List.of(JWSAlgorithm.HS256, JWSAlgorithm.HS384, JWSAlgorithm.HS512)) {
      byte[] publicKey = rsa.toRSAPublicKey().getEncoded();
      token(
          hmac + " with the public key",
          signed(
              new JWSHeader.Builder(hmac).keyID("rsa"), new MACSigner(publicKey), good().build()));
    }
    token(
        "algorithm that is not configured",
        signed(
            new JWSHeader.Builder(JWSAlgorithm.RS512).keyID("rsa"),
            new RSASSASigner(rsa),
            good().build()));
    token(
        "algorithm of another key",
        signed(
            new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("rsa"),
            new ECDSASigner(ec),
            good().build()));
    token("foreign key", signed(rs256(), new RSASSASigner(foreign), good().build()));
    token(
        "jwk in the header",
        signed(rs256().jwk(foreign.toPublicJWK()), new RSASSASigner(foreign), good().build()));
    token(
        "jku in the header",
        signed(
            rs256().jwkURL(URI.create("https://evil.example/keys")),
            new RSASSASigner(foreign),
            good().build()));
    token(
        "x5u in the header",
        signed(
            rs256().x509CertURL(URI.create("https://evil.example/c")),
            new RSASSASigner(foreign),
            good().build()));
    for (String kid : List.of("../../dev/null", "rsa' OR '1'='1", "rsa\0", "nobody")) {
      token(
          "kid " + kid.replace('\0', '0'),
          signed(
              new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(kid),
              new RSASSASigner(foreign),
              good().build()));
    }
    token(
        "type of another",
        signed(
            rs256().type(new JOSEObjectType("logout+jwt")), new RSASSASigner(rsa), good().build()));
    token(
        "critical header",
        signed(
            rs256().criticalParams(java.util.Set.of("exp2")).customParam("exp2", 1),
            new RSASSASigner(rsa),
            good().build()));
    token("expired", with(c -> c.expirationTime(in(-120))));
    token("not valid yet", with(c -> c.notBeforeTime(in(120))));
    token("without exp", with(c -> c.expirationTime(null)));
    token("without sub", with(c -> c.subject(null)));
    token("blank sub", with(c -> c.subject(" ")));
    token("sub that is no text", with(c -> c.claim("sub", Map.of("a", 1))));
    token("without iss", with(c -> c.issuer(null)));
    token("other iss", with(c -> c.issuer("https://issuer.example")));
    token("without aud", with(c -> c.audience((String) null)));
    token("other aud", with(c -> c.audience("rmigate2")));
    token("no token", "not-a-token");
    token("long", "A".repeat(9000));
  }

  private void passwords() {
    authorization("Basic: wrong", basic("alice", "wrong"));
    authorization("Basic: right of another", basic("bob", "wonderland"));
    authorization("Basic: unknown name", basic("nobody", "wonderland"));
    authorization("Basic: empty password", basic("alice", ""));
    authorization("Basic: empty name", basic("", "wonderland"));
    authorization("Basic: blank behind", basic("alice", "wonderland "));
    authorization("Basic: other case", basic("Alice", "wonderland"));
    authorization("Basic: the hash", basic("alice", "pbkdf2-sha256$20000$AAAA$AAAA"));
    authorization("Basic: NUL", basic("alice", "wonderland\0"));
    authorization("Basic: forged line", basic("alice\n{\"event\":\"login\"}", "x"));
    authorization("Basic: no Base64", "Basic ###");
    authorization("Basic: no colon", "Basic YWxpY2U=");
    authorization("Basic: nothing", "Basic");
    authorization("Basic: long", "Basic " + "A".repeat(2000));
    authorization("another scheme", "Digest username=\"alice\"");
    header(
        "two headers",
        "Authorization",
        basic("alice", "wonderland"),
        "Authorization",
        basic("alice", "wonderland"));
  }

  private void certificates() {
    certificate("without a name", ScriptedCertificate.of(null, null));
    certificate("with a blank name", ScriptedCertificate.of(" ", null));
    certificate("of a web server", ScriptedCertificate.of("alice", "1.3.6.1.5.5.7.3.1"));
    certificate("unreadable", ScriptedCertificate.unreadable());
    certificate(
        "of another than the password",
        ScriptedCertificate.of("bob", null),
        "Authorization",
        basic("alice", "wonderland"));
    certificate(
        "good, beside a wrong password",
        ScriptedCertificate.of("alice", null),
        "Authorization",
        basic("alice", "wrong"));
  }

  @Test
  void everyBadLoginIsRefusedAlikeAndAudited() throws Exception {
    rsa = new RSAKeyGenerator(2048).keyID("rsa").generate();
    foreign = new RSAKeyGenerator(2048).keyID("rsa").generate();
    ec = new ECKeyGenerator(Curve.P_256).keyID("ec").generate();
    Files.writeString(
        directory.resolve("keys.json"),
        new JWKSet(List.of(rsa.toPublicJWK(), ec.toPublicJWK())).toString());
    Files.writeString(
        directory.resolve("users"),
        "alice:%s\nbob:%s\n"
            .formatted(
                PasswordHash.of("wonderland".toCharArray(), 1000),
                PasswordHash.of("builder".toCharArray(), 1000)));
    tokens();
    passwords();
    certificates();
    url("access token", "access_token=" + with(claims -> claims));
    url("token behind others", "a=b&access%5Ftoken=" + with(claims -> claims));
    url("token under an escaped name", "%61ccess_token=" + with(claims -> claims));
    url(
        "token under a name escaped throughout",
        "a=%25&%49%44%5f%74oken=" + with(claims -> claims));
    assertThat(cases).hasSizeGreaterThanOrEqualTo(60);

    RecordedAudit audit = new RecordedAudit();
    try (LoginServer server = LoginServer.start(directory, LOGINS, "insecure: true\n", audit)) {
      HttpResponse<String> none = server.get();
      assertThat(none.statusCode()).isEqualTo(401);
      assertThat(audit.of(AuditEvent.LOGIN)).isEmpty();
      for (Case bad : cases) {
        int before = audit.of(AuditEvent.LOGIN).size();
        server.shows(bad.shown());
        HttpResponse<String> answer = server.at(bad.path(), bad.headers().toArray(String[]::new));
        assertThat(answer.statusCode()).as(bad.name()).isEqualTo(401);
        assertThat(answer.headers().allValues("WWW-Authenticate"))
            .as(bad.name())
            .isEqualTo(none.headers().allValues("WWW-Authenticate"));
        List<AuditEntry> all = audit.of(AuditEvent.LOGIN);
        assertThat(all).as(bad.name()).hasSize(before + 1);
        AuditEntry entry = all.get(before);
        String number = RecordedAudit.text(entry, AuditField.REFUSAL);
        assertThat(answer.body())
            .as(bad.name())
            .isEqualTo(none.body().strip() + " [refusal " + number + "]\n");
        assertThat(entry.outcome()).as(bad.name()).isIn(AuditOutcome.REFUSED, AuditOutcome.LOCKED);
        assertThat(RecordedAudit.text(entry, AuditField.PEER)).startsWith("127.0.0.1:");
        assertThat(RecordedAudit.text(entry, AuditField.REASON)).as(bad.name()).isNotEmpty();
      }
      server.shows(null);
      assertThat(audit.lines()).hasLineCount(cases.size());
      assertNoSecret(audit.lines());

      assertThat(server.get("Authorization", "Bearer " + with(claims -> claims)).statusCode())
          .isEqualTo(200);
      server.shows(ScriptedCertificate.of("carol", "1.3.6.1.5.5.7.3.2"));
      assertThat(server.get().body()).isEqualTo("carol CLIENT_CERTIFICATE");
      assertThat(audit.of(AuditEvent.LOGIN, AuditOutcome.ACCEPTED)).hasSize(2);
    }
  }

  private static void assertNoSecret(String lines) {
    assertThat(lines)
        .doesNotContain("wonderland")
        .doesNotContain("pbkdf2")
        .doesNotContain(Base64URL.encode("{\"alg").toString().substring(0, 6))
        .doesNotContain("AAAAAAAA");
  }

  @Test
  void whatIsAcceptedIsAuditedOnceForAnAddressAndDoor() throws Exception {
    Files.writeString(
        directory.resolve("users"),
        "alice:" + PasswordHash.of("wonderland".toCharArray(), 1000) + "\n");
    RecordedAudit audit = new RecordedAudit();
    try (LoginServer server =
        LoginServer.start(directory, "basic:\n  users-file: users\n", "insecure: true\n", audit)) {
      for (int i = 0; i < 5; i++) {
        assertThat(server.get("Authorization", basic("alice", "wonderland")).statusCode())
            .isEqualTo(200);
      }
    }
    assertThat(audit.of(AuditEvent.LOGIN, AuditOutcome.ACCEPTED)).hasSize(1);
  }
}

package io.rmigate.gateway.login;

import static io.rmigate.gateway.login.LoginServer.basic;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a bad login costs the gateway in memory: ten times its bytes at the most, and 64 KiB. */
class LoginCostTest {
  private static final int TIMES = 10;
  private static final int BESIDES = 64 * 1024;

  /** What the JDK takes to hash a password, which is apart. */
  private static final int HASHING = 64 * 1024;

  /** Half of it, coded and signed, is a token just shorter than what is parsed. */
  private static final int LONG = 10_000;

  /** Half of it, as name and password, is just shorter than what is parsed. */
  private static final int NAME = 700;

  @TempDir Path directory;

  private static String token(String header, String claims) {
    Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
    return "Bearer "
        + encoder.encodeToString(header.getBytes(StandardCharsets.UTF_8))
        + "."
        + encoder.encodeToString(claims.getBytes(StandardCharsets.UTF_8))
        + "."
        + "A".repeat(342);
  }

  private static Map<String, String> credentials() {
    String header = "{\"alg\":\"RS256\",\"kid\":\"rsa\"}";
    StringBuilder many = new StringBuilder("{\"a\":0");
    for (int i = 0; many.length() < LONG / 2; i++) {
      many.append(",\"").append(Integer.toString(i, 36)).append("\":0");
    }
    many.append('}');
    Map<String, String> all = new LinkedHashMap<>();
    all.put("short", "Bearer x");
    all.put("long", "Bearer " + "x".repeat(LONG));
    all.put("dots", "Bearer " + ".".repeat(LONG));
    all.put("nested header", token("[".repeat(LONG / 2), "{}"));
    all.put("nested claims", token(header, "[".repeat(LONG / 2)));
    all.put("objects", token(header, "{\"a\":".repeat(LONG / 12)));
    all.put("claims", token(header, many.toString()));
    all.put("fields of the header", token(many.toString(), "{}"));
    all.put("list", token(header, "[" + "0,".repeat(LONG / 4) + "0]"));
    all.put("number", token(header, "{\"exp\":" + "9".repeat(LONG / 2) + "}"));
    all.put("name", basic("x".repeat(NAME), "secret"));
    all.put("password", basic("alice", "x".repeat(NAME)));
    all.put("colons", basic(":".repeat(NAME), ":"));
    return all;
  }

  @Test
  void aBadLoginCostsNoMoreThanTenTimesItsBytesAnd64KiB() throws Exception {
    RSAKey rsa = new RSAKeyGenerator(2048).keyID("rsa").generate();
    Files.writeString(directory.resolve("keys.json"), new JWKSet(rsa.toPublicJWK()).toString());
    Files.writeString(
        directory.resolve("users"),
        "alice:" + PasswordHash.of("wonderland".toCharArray(), 1000) + "\n");
    String logins =
        """
        basic:
          users-file: users
        bearer:
          jwks: keys.json
          issuer: https://issuer.example/
          audience: rmigate
        """;
    Map<String, String> beyond = new LinkedHashMap<>();
    try (LoginServer server = LoginServer.start(directory, logins, "insecure: true\n")) {
      for (Map.Entry<String, String> credential : credentials().entrySet()) {
        long cost = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) { // the first makes what is made once
          assertThat(server.get("Authorization", credential.getValue()).statusCode())
              .as(credential.getKey())
              .isEqualTo(401);
          cost = Math.min(cost, server.cost());
        }
        assertThat(cost).isPositive();
        int besides = BESIDES + (credential.getValue().startsWith("Basic ") ? HASHING : 0);
        if (cost > (long) TIMES * credential.getValue().length() + besides) {
          beyond.put(credential.getKey(), cost + " for " + credential.getValue().length());
        }
      }
    }
    assertThat(beyond).isEmpty();
  }
}

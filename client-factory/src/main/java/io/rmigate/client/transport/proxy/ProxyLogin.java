package io.rmigate.client.transport.proxy;

import io.rmigate.client.config.HttpProxy;
import io.rmigate.client.transport.http.HttpChallenge;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** Answers to the challenges of one HTTP proxy: Digest, else Basic. */
final class ProxyLogin {
  private final HttpProxy proxy;
  private final String authority;
  private final SecureRandom random;

  /**
   * @param authority what CONNECT asks for
   */
  ProxyLogin(HttpProxy proxy, String authority, SecureRandom random) {
    this.proxy = proxy;
    this.authority = authority;
    this.random = random;
  }

  /** Whether there is a login, and a scheme that is known here. */
  boolean mayAnswer(List<HttpChallenge> challenges) {
    return proxy.login().isPresent()
        && (strongestDigest(challenges).isPresent() || isBasicOffered(challenges));
  }

  /**
   * The value of {@code Proxy-Authorization}, where there may be one; the password is read now.
   *
   * @throws IOException the password cannot be read
   */
  String answer(List<HttpChallenge> challenges) throws IOException {
    HttpProxy.Login login = proxy.login().orElseThrow();
    Optional<DigestLogin> digest = strongestDigest(challenges);
    String password = login.password().read();
    if (digest.isPresent()) {
      byte[] cnonce = new byte[16];
      random.nextBytes(cnonce);
      return digest
          .get()
          .authorization(
              login.user(), password, "CONNECT", authority, HexFormat.of().formatHex(cnonce));
    }
    byte[] pair = (login.user() + ":" + password).getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(pair);
  }

  private static Optional<DigestLogin> strongestDigest(List<HttpChallenge> challenges) {
    return challenges.stream()
        .flatMap(challenge -> DigestLogin.answering(challenge).stream())
        .max(Comparator.comparingInt(DigestLogin::strength));
  }

  private static boolean isBasicOffered(List<HttpChallenge> challenges) {
    return challenges.stream().anyMatch(challenge -> challenge.is("Basic"));
  }
}

package io.rmigate.client.transport.proxy;

import io.rmigate.client.transport.http.HttpChallenge;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The answer to a Digest challenge (RFC 7616 §3.4) with MD5 or SHA-256 and qop=auth. The older form
 * without qop and the session variants are not answered: no HTTP proxy asks for nothing else.
 */
final class DigestLogin {
  private static final Pattern QOP_AUTH = Pattern.compile("(?:^|,)\\s*auth\\s*(?:,|$)");

  private final HttpChallenge challenge;
  private final String algorithm; // as in the header: MD5, SHA-256
  private final Charset charset;

  private DigestLogin(HttpChallenge challenge, String algorithm) {
    this.challenge = challenge;
    this.algorithm = algorithm;
    this.charset =
        challenge.parameter("charset", "").equalsIgnoreCase("UTF-8")
            ? StandardCharsets.UTF_8
            : StandardCharsets.ISO_8859_1;
  }

  /** Empty if the challenge is not Digest, or a Digest not known here. */
  static Optional<DigestLogin> answering(HttpChallenge challenge) {
    if (!challenge.is("Digest")
        || challenge.parameter("nonce", "").isEmpty()
        || !QOP_AUTH.matcher(challenge.parameter("qop", "").toLowerCase(Locale.ROOT)).find()) {
      return Optional.empty();
    }
    String algorithm = challenge.parameter("algorithm", "MD5").toUpperCase(Locale.ROOT);
    return switch (algorithm) {
      case "MD5", "SHA-256" -> Optional.of(new DigestLogin(challenge, algorithm));
      default -> Optional.empty();
    };
  }

  /** Greater is better: SHA-256 before MD5. */
  int strength() {
    return algorithm.equals("MD5") ? 0 : 1;
  }

  /**
   * The value of {@code Proxy-Authorization} or {@code Authorization}, for the first use of the
   * nonce. Bytes beyond ASCII stand as one char each, to be written as ISO-8859-1.
   */
  String authorization(String user, String password, String method, String uri, String cnonce) {
    String realm = challenge.parameter("realm", "");
    String nonce = challenge.parameter("nonce", "");
    String nonceCount = "00000001";
    String a1 = hash(user + ":" + realm + ":" + password);
    String a2 = hash(method + ":" + uri);
    String response = hash(String.join(":", a1, nonce, nonceCount, cnonce, "auth", a2));
    String rawUser = new String(user.getBytes(charset), StandardCharsets.ISO_8859_1);
    StringBuilder header =
        new StringBuilder("Digest ")
            .append("username=" + quoted(rawUser))
            .append(", realm=" + quoted(realm))
            .append(", nonce=" + quoted(nonce))
            .append(", uri=" + quoted(uri))
            .append(", algorithm=" + algorithm)
            .append(", qop=auth, nc=" + nonceCount)
            .append(", cnonce=" + quoted(cnonce))
            .append(", response=" + quoted(response));
    if (challenge.parameters().containsKey("opaque")) {
      header.append(", opaque=" + quoted(challenge.parameter("opaque", "")));
    }
    return header.toString();
  }

  private String hash(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance(algorithm);
      return HexFormat.of().formatHex(digest.digest(text.getBytes(charset)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has " + algorithm, e);
    }
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}

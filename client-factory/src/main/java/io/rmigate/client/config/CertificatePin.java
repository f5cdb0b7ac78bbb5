package io.rmigate.client.config;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * A public key by its digest, written as in RFC 7469 (the digest of the SubjectPublicKeyInfo) and
 * by {@code curl --pinnedpubkey}: {@code sha256/} and base64.
 *
 * @param base64 of the 32 digest bytes
 */
public record CertificatePin(String base64) {
  private static final String PREFIX = "sha256/";
  private static final int DIGEST_BYTES = 32;

  /** The pin of a key as found in a certificate. */
  public static CertificatePin of(PublicKey key) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(key.getEncoded());
      return new CertificatePin(Base64.getEncoder().encodeToString(digest));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }

  /** The pins of a list. */
  static List<CertificatePin> all(ConfigValue value) {
    return value.listOf(PREFIX).stream().map(text -> parse(text, value)).toList();
  }

  /** Reads {@code sha256/…}; the double slash of curl is accepted too. */
  static CertificatePin parse(String text, ConfigValue value) {
    if (!text.startsWith(PREFIX)) {
      throw value.problem("'" + text + "' is not a pin; allowed: " + value.key().unit());
    }
    String rest = text.substring(PREFIX.length());
    // A slash there may be the first character of the digest, or curl's second one.
    return digest(rest)
        .or(() -> rest.startsWith("/") ? digest(rest.substring(1)) : Optional.empty())
        .map(digest -> new CertificatePin(Base64.getEncoder().encodeToString(digest)))
        .orElseThrow(
            () ->
                value.problem(
                    "'"
                        + text
                        + "' is not a pin (32 bytes in base64 after sha256/); allowed: "
                        + value.key().unit()));
  }

  private static Optional<byte[]> digest(String base64) {
    try {
      return Optional.of(Base64.getDecoder().decode(base64))
          .filter(digest -> digest.length == DIGEST_BYTES);
    } catch (IllegalArgumentException noBase64) {
      return Optional.empty();
    }
  }

  @Override
  public String toString() {
    return PREFIX + base64;
  }
}

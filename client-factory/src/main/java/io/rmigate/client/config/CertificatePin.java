package io.rmigate.client.config;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.util.Base64;

/**
 * A public key by its digest, written as in RFC 7469 (the digest of the SubjectPublicKeyInfo) and
 * by {@code curl --pinnedpubkey}: {@code sha256/} and base64.
 *
 * @param base64 of the 32 digest bytes
 */
public record CertificatePin(String base64) {
  static final String PREFIX = "sha256/";

  /** The pin of a key as found in a certificate. */
  public static CertificatePin of(PublicKey key) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(key.getEncoded());
      return new CertificatePin(Base64.getEncoder().encodeToString(digest));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }

  /** Reads {@code sha256/…}; the double slash of curl is accepted too. */
  static CertificatePin parse(String text, ConfigValue value) {
    if (text.startsWith(PREFIX)) {
      String base64 = text.substring(PREFIX.length()).replaceFirst("^/", "");
      try {
        byte[] digest = Base64.getDecoder().decode(base64);
        if (digest.length == 32) {
          return new CertificatePin(Base64.getEncoder().encodeToString(digest));
        }
        // A curl-style double slash was assumed, but the slash belonged to the digest.
        digest = Base64.getDecoder().decode(text.substring(PREFIX.length()));
        if (digest.length == 32) {
          return new CertificatePin(Base64.getEncoder().encodeToString(digest));
        }
      } catch (IllegalArgumentException e) {
        throw value.problem("'" + text + "' is not base64 after sha256/: " + e.getMessage());
      }
    }
    throw value.problem("'" + text + "' is not a pin; allowed: " + value.key().unit());
  }

  @Override
  public String toString() {
    return PREFIX + base64;
  }
}

package io.rmigate.gateway.grant;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * 32 secret bytes that grants are sealed under. Not one of them is sealed with the secret itself:
 * each has a key of its own, made of the secret and of random bytes that stand in the grant, so
 * that random nonces never repeat however many gateways use one secret for however long. Immutable.
 */
final class GrantKey {
  static final int BYTES = 32;

  private static final String HMAC = "HmacSHA256";
  private static final byte[] NAMING = "rmigate key".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] SEALING = "rmigate grant".getBytes(StandardCharsets.US_ASCII);

  private final byte[] secret;
  private final int id;

  GrantKey(byte[] secret) {
    if (secret.length != BYTES) {
      throw new IllegalArgumentException("expected " + BYTES + " bytes, got " + secret.length);
    }
    this.secret = secret.clone();
    this.id = ByteBuffer.wrap(hmac(NAMING)).getInt();
  }

  /** Says which key it is and nothing of the key. */
  int id() {
    return id;
  }

  /** The key of the grant in which {@code random} has these bytes. */
  SecretKey of(byte[] random, int off, int len) {
    ByteBuffer label = ByteBuffer.allocate(SEALING.length + len);
    label.put(SEALING).put(random, off, len);
    return new SecretKeySpec(hmac(label.array()), "AES");
  }

  private byte[] hmac(byte[] data) {
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(new SecretKeySpec(secret, HMAC));
      return mac.doFinal(data);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + HMAC, e);
    }
  }

  /** The secret, for its file. */
  byte[] secret() {
    return secret.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof GrantKey key && Arrays.equals(secret, key.secret);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(secret);
  }

  @Override
  public String toString() {
    return "key %08x".formatted(id);
  }
}

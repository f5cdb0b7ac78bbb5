package io.rmigate.protocol.post;

import java.security.SecureRandom;
import java.util.Arrays;

/**
 * What names a connection made of POSTs: 128 random bits that its agent has chosen. Who knows them
 * and has the same login could send in its place, so they stand in bodies only and are never
 * logged.
 */
public final class ConnectionId {
  private final byte[] secret;

  private ConnectionId(byte[] secret) {
    this.secret = secret;
  }

  /** A new one. */
  public static ConnectionId random(SecureRandom random) {
    byte[] secret = new byte[Post.ID_BYTES];
    random.nextBytes(secret);
    return new ConnectionId(secret);
  }

  /** The connection id of the {@link Post#ID_BYTES} bytes at {@code offset}. */
  static ConnectionId of(byte[] bytes, int offset) {
    return new ConnectionId(Arrays.copyOfRange(bytes, offset, offset + Post.ID_BYTES));
  }

  void copyTo(byte[] bytes, int offset) {
    System.arraycopy(secret, 0, bytes, offset, secret.length);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ConnectionId id
        && java.security.MessageDigest.isEqual(secret, id.secret);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(secret);
  }

  @Override
  public String toString() {
    return "secret";
  }
}

package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.ProtocolViolationException;
import java.util.Arrays;

/**
 * The secret that names a session towards its gateway: 32 random bytes, or none for a session that
 * is to be made. Never logged; {@link #toString} shows nothing of it.
 */
public final class SessionToken {
  /** Length of a token, in bytes. */
  public static final int BYTES = 32;

  /** No session yet. */
  public static final SessionToken NONE = new SessionToken(new byte[0]);

  private final byte[] secret;

  private SessionToken(byte[] secret) {
    this.secret = secret;
  }

  /** A token of {@link #BYTES} bytes. */
  public static SessionToken of(byte[] secret) {
    if (secret.length != BYTES) {
      throw new IllegalArgumentException("a session token has " + BYTES + " bytes");
    }
    return new SessionToken(secret.clone());
  }

  void encode(FrameOutput out) {
    out.opaque(secret);
  }

  static SessionToken decode(FrameInput in) throws ProtocolViolationException {
    byte[] secret = in.opaque(BYTES);
    if (secret.length == 0) {
      return NONE;
    }
    if (secret.length != BYTES) {
      throw new ProtocolViolationException(
          "expected a session token of 0x20 bytes, got 0x" + Integer.toHexString(secret.length));
    }
    return new SessionToken(secret);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SessionToken token
        && java.security.MessageDigest.isEqual(secret, token.secret);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(secret);
  }

  @Override
  public String toString() {
    return this.equals(NONE) ? "none" : "secret";
  }
}

package io.rmigate.gateway.audit;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * How lines are chained:
 *
 * <pre>
 *   line = BODY  ,"hash":"  HASH  "}      HASH = hex(SHA-256(hash of the line before, BODY))
 * </pre>
 *
 * BODY is all that stands before {@code ,"hash":"}, the opening brace included; of the line before
 * its 64 hexadecimal digits are taken as they are written, of the first line of all {@link #NONE}.
 */
final class HashChain {
  /** The hash that precedes the first line of all. */
  static final String NONE = "0".repeat(64);

  private static final byte[] BEFORE = ",\"hash\":\"".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] AFTER = "\"}".getBytes(StandardCharsets.US_ASCII);
  private static final int HEX_CHARS = 64;

  /** Number of bytes of a line that are not its body. */
  static final int OVERHEAD = BEFORE.length + HEX_CHARS + AFTER.length;

  /** The hash of a line. */
  static String hash(String previous, byte[] line, int bodyLength) {
    MessageDigest digest = digest();
    digest.update(previous.getBytes(StandardCharsets.US_ASCII));
    digest.update(line, 0, bodyLength);
    return HexFormat.of().formatHex(digest.digest());
  }

  /** The end of a line, behind its body: the hash and the text around the hash. */
  static byte[] tail(String hash) {
    return (new String(BEFORE, StandardCharsets.US_ASCII)
            + hash
            + new String(AFTER, StandardCharsets.US_ASCII))
        .getBytes(StandardCharsets.US_ASCII);
  }

  /** The hash at the end of a line; null when it has none there. */
  static String in(byte[] line) {
    int body = line.length - OVERHEAD;
    if (body < 1
        || !matches(line, body, BEFORE)
        || !matches(line, line.length - AFTER.length, AFTER)) {
      return null;
    }
    String hash = new String(line, body + BEFORE.length, HEX_CHARS, StandardCharsets.US_ASCII);
    return hash.matches("[0-9a-f]{64}") ? hash : null;
  }

  private static boolean matches(byte[] line, int at, byte[] expected) {
    for (int i = 0; i < expected.length; i++) {
      if (line[at + i] != expected[i]) {
        return false;
      }
    }
    return true;
  }

  private static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private HashChain() {}
}

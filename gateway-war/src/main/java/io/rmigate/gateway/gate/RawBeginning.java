package io.rmigate.gateway.gate;

/**
 * Judges the first bytes of a client on a raw stream, before any of them goes to the target.
 *
 * <p>Plain JRMP must not pass here: {@link RequestGate}, and with it all policy for registries and
 * Calls, would be gone around. A JRMP server decides by the first bytes of a connection what it is
 * for, once: the magic {@code JRMI}; and, with JDK 8 and older, {@code POST}, JRMP within HTTP. So
 * a connection that begins in another way can never become one. And a TLS server that listens at
 * the port speaks no plain JRMP there.
 *
 * <p>By default more is asked for: a TLS handshake (RFC 8446, 5.1: content type 22, major version
 * 3; 4: client_hello 1), which is what stubs with an {@code SslRMIClientSocketFactory} begin with,
 * and what no server of another kind takes.
 */
public enum RawBeginning {
  /** The connection does not begin in an allowed way. */
  REFUSED,
  /** These bytes do not tell. */
  UNDECIDED,
  /** The connection may pass; the gateway checks no further bytes of it. */
  ALLOWED;

  /** Number of bytes after which the verdict is never {@link #UNDECIDED}. */
  public static final int BYTES = 6;

  private static final int HANDSHAKE = 22;
  private static final int MAJOR_VERSION = 3;
  private static final int CLIENT_HELLO = 1;

  /** Where the type of the handshake message stands: behind the header of its record. */
  private static final int MESSAGE_AT = 5;

  private static final byte[][] JRMP = {{'J', 'R', 'M', 'I'}, {'P', 'O', 'S', 'T'}};

  /**
   * The verdict on what begins with these bytes.
   *
   * @param tlsOnly whether nothing but TLS is allowed
   */
  public static RawBeginning judge(byte[] bytes, int length, boolean tlsOnly) {
    return tlsOnly ? judgeTls(bytes, length) : judgeAny(bytes, length);
  }

  private static RawBeginning judgeTls(byte[] bytes, int length) {
    if ((length > 0 && bytes[0] != HANDSHAKE)
        || (length > 1 && bytes[1] != MAJOR_VERSION)
        || (length > MESSAGE_AT && bytes[MESSAGE_AT] != CLIENT_HELLO)) {
      return REFUSED;
    }
    return length > MESSAGE_AT ? ALLOWED : UNDECIDED;
  }

  private static RawBeginning judgeAny(byte[] bytes, int length) {
    RawBeginning verdict = ALLOWED;
    for (byte[] magic : JRMP) {
      int same = 0;
      while (same < Math.min(length, magic.length) && bytes[same] == magic[same]) {
        same++;
      }
      if (same == magic.length) {
        return REFUSED;
      }
      if (same == length) {
        verdict = UNDECIDED;
      }
    }
    return verdict;
  }
}

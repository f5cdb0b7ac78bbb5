package io.rmigate.client.socks;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * The user name and password that a SOCKS 5 client must give (RFC 1929).
 *
 * @param user at most 255 bytes in UTF-8
 * @param password at most 255 bytes in UTF-8; never logged
 */
public record SocksLogin(String user, String password) {

  /** Compared in a time that does not depend on where they differ. */
  boolean matches(byte[] otherUser, byte[] otherPassword) {
    boolean sameUser = MessageDigest.isEqual(user.getBytes(StandardCharsets.UTF_8), otherUser);
    boolean samePassword =
        MessageDigest.isEqual(password.getBytes(StandardCharsets.UTF_8), otherPassword);
    return sameUser && samePassword;
  }

  @Override
  public String toString() {
    return "SocksLogin[" + user + "]";
  }
}

package io.rmigate.gateway.login;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * A salted PBKDF2 hash (RFC 8018, section 5.2) in the form {@code
 * pbkdf2-sha256$ITERATIONS$SALT$KEY}, salt and key in Base64.
 */
public final class PasswordHash {
  /** Iterations that OWASP's password storage cheat sheet asks of PBKDF2 with HMAC-SHA256. */
  private static final int ITERATIONS = 600_000;

  private static final int MIN_ITERATIONS = 1_000;
  private static final int MAX_ITERATIONS = 10_000_000;
  private static final int SALT_BYTES = 16;
  private static final int KEY_BYTES = 32;
  private static final Pattern FORM =
      Pattern.compile("pbkdf2-sha256\\$(\\d{1,8})\\$([A-Za-z0-9+/=]{16,128})\\$([A-Za-z0-9+/=]+)");

  private final int iterations;
  private final byte[] salt;
  private final byte[] key;

  private PasswordHash(int iterations, byte[] salt, byte[] key) {
    this.iterations = iterations;
    this.salt = salt;
    this.key = key;
  }

  /** Hashes with a fresh salt. Takes some hundred milliseconds of a processor. */
  public static PasswordHash of(char[] password) {
    return of(password, ITERATIONS);
  }

  /** With a number of iterations that tests can afford. */
  static PasswordHash of(char[] password, int iterations) {
    byte[] salt = new byte[SALT_BYTES];
    new SecureRandom().nextBytes(salt);
    return new PasswordHash(iterations, salt, derive(password, salt, iterations));
  }

  /** A hash no password has. */
  static PasswordHash ofNobody(int iterations) {
    byte[] salt = new byte[SALT_BYTES];
    byte[] key = new byte[KEY_BYTES];
    SecureRandom random = new SecureRandom();
    random.nextBytes(salt);
    random.nextBytes(key);
    return new PasswordHash(iterations, salt, key);
  }

  /** Reads the text form; empty when it is none. */
  public static Optional<PasswordHash> parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    int iterations = Integer.parseInt(matcher.group(1));
    try {
      byte[] salt = Base64.getDecoder().decode(matcher.group(2));
      byte[] key = Base64.getDecoder().decode(matcher.group(3));
      if (iterations < MIN_ITERATIONS || iterations > MAX_ITERATIONS || key.length != KEY_BYTES) {
        return Optional.empty();
      }
      return Optional.of(new PasswordHash(iterations, salt, key));
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // not Base64 after all
    }
  }

  int iterations() {
    return iterations;
  }

  /**
   * Whether this is the hash of {@code password}; compares in constant time.
   *
   * @param work iterations that are done in all, should the hash itself need fewer
   */
  boolean matches(char[] password, int work) {
    boolean same = MessageDigest.isEqual(key, derive(password, salt, iterations));
    if (work > iterations) {
      derive(password, salt, work - iterations);
    }
    return same;
  }

  private static byte[] derive(char[] password, byte[] salt, int iterations) {
    // The JDK refuses an empty password; a lone NUL, which no login takes, stands for it.
    char[] never0 = password.length == 0 ? new char[] {0} : password;
    PBEKeySpec spec = new PBEKeySpec(never0, salt, iterations, KEY_BYTES * 8);
    try {
      return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256").generateSecret(spec).getEncoded();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has PBKDF2WithHmacSHA256", e);
    } finally {
      spec.clearPassword();
    }
  }

  /** Equal in salt, iterations and key. */
  @Override
  public boolean equals(Object other) {
    return other instanceof PasswordHash hash
        && iterations == hash.iterations
        && Arrays.equals(salt, hash.salt)
        && MessageDigest.isEqual(key, hash.key);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(salt);
  }

  /** The text form, as a users file has it. */
  @Override
  public String toString() {
    Base64.Encoder base64 = Base64.getEncoder();
    return "pbkdf2-sha256$"
        + iterations
        + "$"
        + base64.encodeToString(salt)
        + "$"
        + base64.encodeToString(key);
  }
}

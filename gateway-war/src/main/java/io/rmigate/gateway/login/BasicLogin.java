package io.rmigate.gateway.login;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import io.rmigate.gateway.problem.ConfigException;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * HTTP Basic (RFC 7617) against a users file.
 *
 * <p>The hash is slow on purpose. A credential it has accepted is therefore remembered for minutes,
 * for addresses from which this user has logged in: not the password, but an HMAC of it under a key
 * that exists in this process only. Wrong ones are never remembered; they are slowed down by {@link
 * LoginTurns}, which keeps guessing from taking every processor, and by {@link GuessBrake}. Every
 * other attempt costs the same hash, whether the name exists, is locked, or the password is right.
 */
final class BasicLogin implements LoginScheme {
  private static final Duration REMEMBERED = Duration.ofMinutes(5);
  private static final int MAX_REMEMBERED = 10_000;
  private static final int MAX_CREDENTIALS_CHARS = 1024;
  private static final Duration WAIT_FOR_PROCESSOR = Duration.ofSeconds(10);

  /** The line of the users file; a changed password or group makes another line. */
  private record Line(UsersFile.User user) implements Proof {}

  private final UsersFile users;
  private final boolean plainHttpAllowed;
  private final GuessBrake brake = new GuessBrake(Ticker.systemTicker());
  private final Cache<ByteBuffer, Boolean> verified =
      Caffeine.newBuilder().expireAfterWrite(REMEMBERED).maximumSize(MAX_REMEMBERED).build();
  private final SecretKeySpec processKey;

  /** Turns for hashes; they leave a processor for clients that are logged in already. */
  private final LoginTurns turns;

  private BasicLogin(UsersFile users, boolean plainHttpAllowed, LoginTurns turns) {
    this.users = users;
    this.plainHttpAllowed = plainHttpAllowed;
    this.turns = turns;
    byte[] random = new byte[32];
    new SecureRandom().nextBytes(random);
    this.processKey = new SecretKeySpec(random, "HmacSHA256");
  }

  static BasicLogin load(Path usersFile, boolean plainHttpAllowed) throws ConfigException {
    Semaphore hashing = new Semaphore(Math.max(1, Runtime.getRuntime().availableProcessors() - 1));
    return load(usersFile, plainHttpAllowed, hashing, WAIT_FOR_PROCESSOR);
  }

  /**
   * Reads a users file, with bounds of hashing.
   *
   * @param hashing has a permit for each hash that may be computed at a time
   * @param patience how long one that may not waits for a permit
   */
  static BasicLogin load(
      Path usersFile, boolean plainHttpAllowed, Semaphore hashing, Duration patience)
      throws ConfigException {
    return new BasicLogin(
        UsersFile.read(usersFile), plainHttpAllowed, new LoginTurns(hashing, patience));
  }

  @Override
  public Optional<String> challenge() {
    return Optional.of("Basic realm=\"rmigate\", charset=\"UTF-8\"");
  }

  @Override
  public boolean holds(String name, Proof proof) {
    return proof instanceof Line line && users.user(name).equals(line.user());
  }

  @Override
  public Optional<LoginResult> attempt(HttpServletRequest request) {
    return AuthorizationHeader.of(request)
        .filter(header -> header.is("Basic"))
        .map(header -> judge(header.credentials(), request));
  }

  private LoginResult judge(String credentials, HttpServletRequest request) {
    if (!request.isSecure() && !plainHttpAllowed) {
      return new LoginResult.Refused(
          "a password over plain HTTP (see insecure in the configuration)");
    }
    if (credentials.length() > MAX_CREDENTIALS_CHARS) {
      return new LoginResult.Refused("Basic credentials of unusual length");
    }
    String pair;
    try {
      pair = new String(Base64.getDecoder().decode(credentials), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return new LoginResult.Refused("Basic credentials that are not Base64");
    }
    int colon = pair.indexOf(':');
    if (colon < 0) {
      return new LoginResult.Refused("Basic credentials without a colon");
    }
    String name = pair.substring(0, colon);
    if (pair.chars().skip(colon).anyMatch(Character::isISOControl)) {
      // RFC 7617, section 2. HMAC fills a short key up with NULs, so for PBKDF2 those behind a
      // password do not count.
      return new LoginResult.Refused(
          "a password with control characters for " + name, name, LoginResult.Kind.WRONG);
    }
    UsersFile.User user = users.user(name);
    PasswordHash hash = user.hash();
    String address = request.getRemoteAddr();
    ByteBuffer fingerprint = fingerprint(pair, hash);
    if (!isRemembered(fingerprint, name, address)) {
      Optional<LoginResult> refused =
          takeTurn(fingerprint, hash, pair.substring(colon + 1), name, address);
      if (refused.isPresent()) {
        return refused.get();
      }
    }
    return new LoginResult.Accepted(
        new Principal(
            name,
            Principal.Scheme.BASIC,
            user.groups(),
            Optional.empty(),
            List.of(new Line(user))));
  }

  /**
   * Whether the password has been verified lately. Only an address that is verified itself is told,
   * and not without end: each answer tests a guess, before the brake is asked.
   */
  private boolean isRemembered(ByteBuffer fingerprint, String name, String address) {
    if (!brake.allowsRemembered(name, address)) {
      return false;
    }
    boolean isRemembered = verified.getIfPresent(fingerprint) != null;
    if (!isRemembered) {
      brake.notRemembered(name, address);
    }
    return isRemembered;
  }

  /** The refusal of a password that is not remembered; empty when it is accepted. */
  private Optional<LoginResult> takeTurn(
      ByteBuffer fingerprint, PasswordHash hash, String password, String name, String address) {
    String owner = GuessBrake.owner(address);
    boolean locked = !brake.allows(name, address);
    if (!(locked ? turns.beginLocked(owner) : turns.begin(owner))) {
      return Optional.of(
          new LoginResult.Refused(
              "too many logins at a time to check that of " + name, name, LoginResult.Kind.BUSY));
    }
    try {
      return check(fingerprint, hash, password, name, address);
    } finally {
      if (locked) {
        turns.endLocked(owner);
      } else {
        turns.end();
      }
    }
  }

  /**
   * The refusal of a password that has its turn; empty when it is accepted. Logins of the same name
   * or address had theirs meanwhile: they may have been wrong too often, or this very one right.
   * The hash is computed while the name is locked, too, so that every attempt costs the same.
   */
  private Optional<LoginResult> check(
      ByteBuffer fingerprint, PasswordHash hash, String password, String name, String address) {
    if (brake.allowsRemembered(name, address) && verified.getIfPresent(fingerprint) != null) {
      return Optional.empty();
    }
    boolean locked = !brake.allows(name, address);
    boolean right = users.matches(hash, password.toCharArray());
    if (locked || !right) {
      brake.wrong(name, address);
      return Optional.of(locked ? locked(name) : wrong(name));
    }
    verified.put(fingerprint, true);
    brake.right(name, address);
    return Optional.empty();
  }

  private static LoginResult wrong(String name) {
    return new LoginResult.Refused(
        "unknown user or wrong password: " + name, name, LoginResult.Kind.WRONG);
  }

  private static LoginResult locked(String name) {
    return new LoginResult.Refused(
        "too many wrong passwords for " + name, name, LoginResult.Kind.LOCKED);
  }

  /** Covers the stored hash as well: a changed password forgets the one before. */
  private ByteBuffer fingerprint(String pair, PasswordHash hash) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(processKey);
      mac.update(hash.toString().getBytes(StandardCharsets.UTF_8));
      mac.update((byte) 0);
      return ByteBuffer.wrap(mac.doFinal(pair.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has HmacSHA256", e);
    }
  }
}

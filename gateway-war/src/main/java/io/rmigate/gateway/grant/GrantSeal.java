package io.rmigate.gateway.grant;

import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.tunnel.Grant;
import io.rmigate.protocol.tunnel.Tunnel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javax.crypto.BadPaddingException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/**
 * Seals grants and opens them (PROTOCOL.md, section 12).
 *
 * <pre>
 *   +---------+--------+-------------------------+-----------------+----------+
 *   | version | key id | random                  | GrantContent    | tag      |
 *   | u8 1    | u32    | 12 of the key, 12 nonce | AES-256-GCM     | 16 bytes |
 *   +---------+--------+-------------------------+-----------------+----------+
 *
 *   authenticated besides: version, key id, endpoint, objects, principal
 * </pre>
 *
 * Thread-safe; some microseconds a grant.
 */
public final class GrantSeal {
  private static final byte VERSION = 1;
  private static final int HEAD_BYTES = 1 + 4;
  private static final int RANDOM_BYTES = 12;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final int SEALED_FROM = HEAD_BYTES + RANDOM_BYTES + NONCE_BYTES;

  /** The clock of another gateway may be ahead of ours by this time. */
  private static final Duration CLOCKS_DIFFER = Duration.ofMinutes(5);

  /** The result of opening a grant. */
  public sealed interface Opening permits Opened, RefusedGrant {}

  /**
   * The grant is from this gateway, or from one with the same key.
   *
   * @param registries that have named the endpoint; none of objects that were just given
   * @param left until its time is over
   * @param latestKey whether it would be sealed with the same key now
   */
  public record Opened(List<NamedRegistry> registries, Duration left, boolean latestKey)
      implements Opening {}

  /** The grant is not valid. */
  public record RefusedGrant(GrantRefusal reason) implements Opening {}

  private final Supplier<GrantKeys> keys;
  private final Supplier<GrantSettings> settings;
  private final Clock clock;
  private final SecureRandom random = new SecureRandom();

  /**
   * @param keys asked each time: a reload shows at once
   * @param settings asked each time: a reload shows at once
   */
  public GrantSeal(Supplier<GrantKeys> keys, Supplier<GrantSettings> settings, Clock clock) {
    this.keys = keys;
    this.settings = settings;
    this.clock = clock;
  }

  /** The keys in force; another object after they have changed. */
  public GrantKeys keys() {
    return keys.get();
  }

  /** The lifetime of a grant that is sealed now. */
  public Duration lifetime() {
    return settings.get().lifetime();
  }

  /**
   * A grant that begins now.
   *
   * @param objects the granted objects, at most {@link Grant#MAX_OBJECTS}; none: the endpoint
   * @return empty for what is too long to be a host
   */
  public Optional<Grant> seal(
      String principal,
      EndpointId endpoint,
      List<ObjIdentifier> objects,
      List<NamedRegistry> registries) {
    if (!isHost(endpoint.host())
        || registries.stream().anyMatch(r -> !isHost(r.asked().host()) || !isHost(r.reached()))) {
      return Optional.empty();
    }
    Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
    byte[] content = new GrantContent(now, lifetime(), registries).encode();
    GrantKey key = keys().sealing();
    byte[] head = ByteBuffer.allocate(SEALED_FROM).put(VERSION).putInt(key.id()).array();
    byte[] drawn = new byte[RANDOM_BYTES + NONCE_BYTES];
    random.nextBytes(drawn);
    System.arraycopy(drawn, 0, head, HEAD_BYTES, drawn.length);
    try {
      byte[] subject = Grant.subject(endpoint, objects);
      byte[] sealed = cipher(Cipher.ENCRYPT_MODE, key, head, subject, principal).doFinal(content);
      byte[] all = Arrays.copyOf(head, head.length + sealed.length);
      System.arraycopy(sealed, 0, all, head.length, sealed.length);
      return all.length > Grant.MAX_SEALED_BYTES
          ? Optional.empty()
          : Optional.of(new Grant(endpoint, objects, all));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has AES-GCM", e);
    }
  }

  /** Whether a host name is not empty, fits into a frame and survives UTF-8 unchanged. */
  private static boolean isHost(String host) {
    byte[] utf8 = host.getBytes(StandardCharsets.UTF_8);
    return !host.isEmpty()
        && utf8.length <= Tunnel.MAX_TEXT_BYTES
        && host.equals(new String(utf8, StandardCharsets.UTF_8));
  }

  /** Opens what an agent shows; never throws. */
  public Opening open(String principal, Grant grant) {
    byte[] sealed = grant.sealed();
    if (sealed.length < SEALED_FROM + TAG_BITS / 8 || sealed[0] != VERSION) {
      return new RefusedGrant(GrantRefusal.FORGED);
    }
    GrantKeys known = keys();
    Optional<GrantKey> key = known.named(ByteBuffer.wrap(sealed).getInt(1));
    if (key.isEmpty()) {
      return new RefusedGrant(GrantRefusal.UNKNOWN_KEY);
    }
    GrantContent content;
    try {
      byte[] subject = Grant.subject(grant.endpoint(), grant.objects());
      content =
          GrantContent.decode(
              cipher(Cipher.DECRYPT_MODE, key.get(), sealed, subject, principal)
                  .doFinal(sealed, SEALED_FROM, sealed.length - SEALED_FROM));
    } catch (BadPaddingException forged) { // the tag is wrong; providers throw different subclasses
      return new RefusedGrant(GrantRefusal.FORGED);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has AES-GCM", e);
    } catch (IOException ofAnotherVersion) {
      return new RefusedGrant(GrantRefusal.FORGED);
    }
    Instant now = clock.instant();
    // The shorter lifetime counts: a shortened grant lifetime also applies to grants already
    // issued.
    Duration left =
        Duration.between(now, content.issued().plus(shorter(content.validity(), lifetime())));
    if (left.isNegative() || left.isZero() || content.issued().isAfter(now.plus(CLOCKS_DIFFER))) {
      return new RefusedGrant(GrantRefusal.EXPIRED);
    }
    return new Opened(content.registries(), left, known.sealing().equals(key.get()));
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private static Cipher cipher(
      int mode, GrantKey key, byte[] head, byte[] subject, String principal)
      throws GeneralSecurityException {
    SecretKey own = key.of(head, HEAD_BYTES, RANDOM_BYTES);
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(
        mode, own, new GCMParameterSpec(TAG_BITS, head, HEAD_BYTES + RANDOM_BYTES, NONCE_BYTES));
    cipher.updateAAD(head, 0, HEAD_BYTES);
    cipher.updateAAD(subject); // says itself how long it is
    cipher.updateAAD(principal.getBytes(StandardCharsets.UTF_8));
    return cipher;
  }
}

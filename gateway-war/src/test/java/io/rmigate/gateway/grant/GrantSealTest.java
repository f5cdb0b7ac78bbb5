package io.rmigate.gateway.grant;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.tunnel.Grant;
import io.rmigate.protocol.tunnel.Tunnel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GrantSealTest {
  private static final EndpointId ENDPOINT = new EndpointId("127.0.1.1", 4711);
  private static final ObjIdentifier OBJECT = new ObjIdentifier(1, 2, 3, (short) 4);
  private static final NamedRegistry PLAIN =
      new NamedRegistry(new EndpointId("inside.example", 1099), "inside.example");
  private static final NamedRegistry MOVED =
      new NamedRegistry(new EndpointId("172.17.0.2", 1100), "docker.example");
  private static final Duration DAY = Duration.ofDays(1);

  private final MovableClock clock = new MovableClock();
  private GrantKeys keys = GrantKeys.random();
  private GrantSettings settings = new GrantSettings(Optional.empty(), DAY);
  private final GrantSeal seal = new GrantSeal(() -> keys, () -> settings, clock);

  private Grant sealed(String principal) {
    return seal.seal(principal, ENDPOINT, List.of(), List.of(PLAIN)).orElseThrow();
  }

  private void assertRefused(GrantRefusal reason, String principal, Grant grant) {
    assertThat(seal.open(principal, grant)).isEqualTo(new GrantSeal.RefusedGrant(reason));
  }

  @Test
  void whatWasSealedIsOpenedForTheSamePrincipal() {
    Grant grant = seal.seal("ann", ENDPOINT, List.of(OBJECT), List.of(PLAIN, MOVED)).orElseThrow();

    assertThat(grant.endpoint()).isEqualTo(ENDPOINT);
    assertThat(grant.objects()).containsExactly(OBJECT);
    assertThat(seal.open("ann", grant))
        .isInstanceOfSatisfying(
            GrantSeal.Opened.class,
            opened -> {
              assertThat(opened.registries()).containsExactly(PLAIN, MOVED);
              assertThat(opened.left()).isBetween(DAY.minusMinutes(5), DAY);
              assertThat(opened.latestKey()).isTrue();
            });
  }

  @Test
  void anotherPrincipalCannotUseIt() {
    assertRefused(GrantRefusal.FORGED, "bob", sealed("ann"));
    assertRefused(GrantRefusal.FORGED, "", sealed("ann"));
  }

  @Test
  void nothingOfItCanBeChanged() {
    Grant grant = sealed("ann");
    for (int at = 0; at < grant.sealed().length; at++) {
      byte[] changed = grant.sealed().clone();
      changed[at] ^= 1;
      Grant forged = new Grant(ENDPOINT, List.of(), changed);
      assertRefused(
          at >= 1 && at <= 4 ? GrantRefusal.UNKNOWN_KEY : GrantRefusal.FORGED, "ann", forged);
    }
    byte[] sealed = grant.sealed();
    for (EndpointId other :
        List.of(new EndpointId("127.0.1.2", 4711), new EndpointId("127.0.1.1", 4712))) {
      assertRefused(GrantRefusal.FORGED, "ann", new Grant(other, List.of(), sealed));
    }
    assertRefused(GrantRefusal.FORGED, "ann", new Grant(ENDPOINT, List.of(OBJECT), sealed));
  }

  @Test
  void whatStandsBesideItCannotBeShiftedIntoThePrincipal() {
    // Bytes of the subject end where bytes of the principal begin: an object's are 22.
    String first22 = "0123456789abcdefghijkl";
    ObjIdentifier object = ObjIdentifier.decode(first22.getBytes(StandardCharsets.US_ASCII), 0);
    Grant ofObject = seal.seal("ann", ENDPOINT, List.of(object), List.of(PLAIN)).orElseThrow();
    assertRefused(
        GrantRefusal.FORGED, first22 + "ann", new Grant(ENDPOINT, List.of(), ofObject.sealed()));
    Grant ofEndpoint =
        seal.seal(first22 + "ann", ENDPOINT, List.of(), List.of(PLAIN)).orElseThrow();
    assertRefused(
        GrantRefusal.FORGED, "ann", new Grant(ENDPOINT, List.of(object), ofEndpoint.sealed()));
  }

  @Test
  void piecesAndNoiseAreRefusedWithoutAnError() {
    byte[] sealed = sealed("ann").sealed();
    for (int length = 1; length < sealed.length; length++) {
      assertRefused(
          GrantRefusal.FORGED,
          "ann",
          new Grant(ENDPOINT, List.of(), Arrays.copyOf(sealed, length)));
    }
    Random random = new Random(7);
    for (int round = 0; round < 2000; round++) {
      byte[] noise = new byte[1 + random.nextInt(Grant.MAX_SEALED_BYTES)];
      random.nextBytes(noise);
      assertThat(seal.open("ann", new Grant(ENDPOINT, List.of(), noise)))
          .isInstanceOf(GrantSeal.RefusedGrant.class);
    }
  }

  @Test
  void itEndsWithItsTime() {
    Grant grant = sealed("ann");
    clock.advance(DAY.minusMinutes(1));
    assertThat(seal.open("ann", grant)).isInstanceOf(GrantSeal.Opened.class);
    clock.advance(Duration.ofMinutes(1));
    assertRefused(GrantRefusal.EXPIRED, "ann", grant);
  }

  @Test
  void aShorterLifetimeHoldsForThoseThatAreOut() {
    Grant grant = sealed("ann");
    settings = new GrantSettings(Optional.empty(), Duration.ofHours(1));
    clock.advance(Duration.ofMinutes(59));
    assertThat(seal.open("ann", grant)).isInstanceOf(GrantSeal.Opened.class);
    clock.advance(Duration.ofMinutes(1));
    assertRefused(GrantRefusal.EXPIRED, "ann", grant);
  }

  @Test
  void oneFromTheFutureIsRefusedUnlessClocksMayDifferSo() {
    clock.advance(Duration.ofMinutes(4));
    Grant nearly = sealed("ann");
    clock.advance(Duration.ofMinutes(6));
    Grant far = sealed("ann");
    clock.advance(Duration.ofMinutes(-10));
    assertThat(seal.open("ann", nearly)).isInstanceOf(GrantSeal.Opened.class);
    assertRefused(GrantRefusal.EXPIRED, "ann", far);
  }

  @Test
  void anOldKeyOpensAndTheFirstOneSeals() {
    Grant before = sealed("ann");
    GrantKeys old = keys;
    GrantKeys young = GrantKeys.random();
    keys = new GrantKeys(List.of(young.sealing(), old.sealing()));

    assertThat(seal.open("ann", before))
        .isInstanceOfSatisfying(
            GrantSeal.Opened.class, opened -> assertThat(opened.latestKey()).isFalse());
    Grant after = sealed("ann");
    keys = young;
    assertThat(seal.open("ann", after)).isInstanceOf(GrantSeal.Opened.class);
    assertRefused(GrantRefusal.UNKNOWN_KEY, "ann", before);
    keys = old;
    assertRefused(GrantRefusal.UNKNOWN_KEY, "ann", after);
  }

  @Test
  void noTwoAreAlikeAndNothingOfTheSecretOrTheRegistryShows() {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      String sealed = new String(sealed("ann").sealed(), StandardCharsets.ISO_8859_1);
      assertThat(seen.add(sealed)).isTrue();
      assertThat(sealed).doesNotContain("inside.example");
      assertThat(sealed)
          .doesNotContain(new String(keys.sealing().secret(), StandardCharsets.ISO_8859_1));
    }
    assertThat(keys.toString()).matches(".*\\[key [0-9a-f]{8}].*");
  }

  @Test
  void whatCannotStandInAFrameIsNotSealed() {
    for (String host : List.of("", "x".repeat(Tunnel.MAX_TEXT_BYTES + 1), "\ud800")) {
      assertThat(seal.seal("ann", new EndpointId(host, 1), List.of(), List.of(PLAIN))).isEmpty();
      assertThat(
              seal.seal(
                  "ann",
                  ENDPOINT,
                  List.of(),
                  List.of(new NamedRegistry(new EndpointId(host, 1), "inside.example"))))
          .isEmpty();
    }
    NamedRegistry long1 =
        new NamedRegistry(new EndpointId("x".repeat(Tunnel.MAX_TEXT_BYTES), 1), "y".repeat(100));
    assertThat(seal.seal("ann", ENDPOINT, List.of(), Collections.nCopies(4, long1))).isEmpty();
    assertThat(seal.seal("ann", ENDPOINT, List.of(), Collections.nCopies(3, long1))).isPresent();
  }
}

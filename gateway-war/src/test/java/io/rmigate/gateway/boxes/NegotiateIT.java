package io.rmigate.gateway.boxes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.abort;

import io.rmigate.gateway.container.WorkDirectory;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.testing.Patience;
import io.rmigate.testing.Tier;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A squid that lets through only clients that have a ticket of Kerberos, with a real key
 * distribution centre. Clients are told where the HTTP proxy is, and find the rest by themselves.
 */
@Tag(Tier.FULL)
@ExtendWith(LeftoverCheck.class)
@TestInstance(Lifecycle.PER_CLASS)
class NegotiateIT {
  private static final Duration SOON = Patience.PATIENCE;

  private BoxBed bed;
  private KerberosRealm realm;
  private StandingBox squid;

  @BeforeAll
  void startInside() throws Exception {
    Optional<Installed> missing = KerberosRealm.missing().or(SquidBox::missingForNegotiate);
    if (missing.isPresent()) {
      abort(missing.get().notInstalled());
    }
    realm = KerberosRealm.start();
    realm.logIn();
    bed = BoxBed.start(WorkDirectory.empty(BuiltArtefacts.workDirectory(getClass())));
    squid = new SquidBox(realm).start(Mode.UPGRADE_ALLOWED, bed);
  }

  @AfterAll
  void stopInside() {
    if (squid != null) {
      squid.close();
    }
    if (bed != null) {
      bed.close();
    }
    if (realm != null) {
      realm.close();
    }
  }

  @Test
  void whoHasATicketNeedsNoPassword() throws Exception {
    try (Traveller client = bed.client(squid.arguments(), realm::loggedIn)) {
      travel(client);
    }
  }

  @Test
  void nameAndPasswordGetATicket() throws Exception {
    String login =
        ",proxy-user=" + KerberosRealm.PRINCIPAL + ",proxy-password-file=" + bed.password();
    try (Traveller client = bed.client(squid.arguments() + login, realm::known)) {
      travel(client);
    }
  }

  @Test
  void whoHasNeitherIsToldWhatIsWanted() throws Exception {
    try (Traveller client = bed.client(squid.arguments(), realm::known)) {
      assertThatThrownBy(() -> client.ask("lookup"))
          .hasMessageContaining("answered 407 Proxy Authentication Required")
          .hasMessageContaining("it wants a login (Negotiate)")
          .hasMessageContaining("kinit");
    }
  }

  /** Each connection was let through in the user's name. */
  private void travel(Traveller client) throws Exception {
    int before = tunnels();
    try {
      client.ask("lookup");
    } catch (AssertionError failed) {
      throw new AssertionError(
          "%s%n%s%s".formatted(failed.getMessage(), squid.logs(), realm.logs()), failed);
    }
    assertThat(client.ask("calls 10")).isEqualTo("10");
    assertThat(client.ask("callbacks 10")).isEqualTo("10");
    assertThat(client.standing().rung()).isEqualTo(Rung.WEBSOCKET);
    client.close(); // squid logs a tunnel when it ends
    await().atMost(SOON).until(() -> tunnels() > before);
  }

  private int tunnels() {
    return (int)
        squid
            .logs()
            .lines()
            .filter(line -> line.contains("TCP_TUNNEL/200"))
            .peek(line -> assertThat(line).contains(" " + KerberosRealm.PRINCIPAL + " "))
            .count();
  }
}

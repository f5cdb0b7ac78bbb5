package io.rmigate.gateway.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who may hold how much, and who loses what is kept after the end of a session. */
class LeaseAccountsTest {
  private final Leases leases = Leases.off();
  private final LeaseAccounts accounts = new LeaseAccounts(6, 10);

  private SessionLeases session(String principal) {
    return leases.open(
        "session of " + principal, principal, principal, (endpoint, id) -> null, leased -> {});
  }

  private SessionLeases lingering(String principal, int objects) {
    SessionLeases session = session(principal);
    for (int i = 0; i < objects; i++) {
      assertThat(accounts.take(principal)).isTrue();
    }
    accounts.linger(principal, session, objects);
    return session;
  }

  @Test
  void objectsOfOnePrincipalAreBounded() {
    SessionLeases session = session("ann");
    for (int i = 0; i < 6; i++) {
      assertThat(accounts.take("ann")).isTrue();
    }
    assertThat(accounts.take("ann")).isFalse();
    assertThat(accounts.take("bob")).isTrue();
    accounts.give("ann", session);
    assertThat(accounts.take("ann")).isTrue();
  }

  @Test
  void whoKeepsMostLosesItFirstAndItsOldestSessionBeforeTheOthers() {
    lingering("bob", 3); // the oldest of all
    SessionLeases first = lingering("ann", 3);
    lingering("ann", 3);
    assertThat(accounts.takeOneTooMany()).isEmpty();
    lingering("bob", 2);

    assertThat(accounts.takeOneTooMany()).contains(first);
    assertThat(accounts.takeOneTooMany()).isEmpty();
    assertThat(accounts.lingering()).isEqualTo(8);
  }

  @Test
  void whatIsGivenBackDuringTheGraceDoesNotLingerAnyMore() {
    SessionLeases session = lingering("ann", 2);
    accounts.give("ann", session);
    assertThat(accounts.lingering()).isEqualTo(1);
    accounts.endGrace("ann", session);
    assertThat(accounts.lingering()).isZero();
    accounts.give("ann", session);

    assertThat(accounts.lingering()).isZero();
    assertThat(accounts.principals()).isZero();
    assertThat(accounts.takeOneTooMany()).isEqualTo(Optional.empty());
  }
}

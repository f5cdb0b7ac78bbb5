package io.rmigate.gateway.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.Rulebook;
import io.rmigate.gateway.route.EndpointMapping;
import io.rmigate.gateway.route.Restraints;
import io.rmigate.gateway.route.TargetPolicy;
import io.rmigate.gateway.session.SessionBed;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Who is locked out, and until when. */
class LockoutsTest {
  private static final Caller ANN = Caller.of(SessionBed.ANN, "10.0.0.1:4711");
  private static final Caller BOB =
      Caller.of(new Principal("bob", Principal.Scheme.BASIC), "10.0.0.1:4711");

  private final AtomicLong clock = new AtomicLong();
  private final Lockouts lockouts =
      new Lockouts(
          new LockoutSettings(3, Duration.ofMinutes(1), Duration.ofMinutes(5)), clock::get);

  private void pass(Duration time) {
    clock.addAndGet(time.toNanos());
  }

  private void guess(Caller caller, int from, int to) {
    for (int i = from; i <= to; i++) {
      lockouts.onRefused(caller, "thing " + i);
    }
  }

  @Test
  void soManyDifferentThingsLockWhoTriedThemAndNobodyElse() {
    guess(ANN, 1, 2);
    guess(BOB, 1, 2);
    assertThat(lockouts.isOn(ANN)).isFalse();
    guess(ANN, 1, 3);
    assertThat(lockouts.isOn(ANN)).isTrue();
    assertThat(lockouts.isOn(BOB)).isFalse();
    assertThat(lockouts.views()).hasSize(1);
    LockoutView view = lockouts.views().get(0);
    assertThat(view.principal()).isEqualTo("ann");
    assertThat(view.until()).isEqualTo(view.since().plus(Duration.ofMinutes(5)));
    assertThat(view.refused()).containsExactly("thing 1", "thing 2", "thing 3");
  }

  private static TargetPolicy policy(int after) {
    return new TargetPolicy(
        List.of(),
        List.of(),
        EndpointMapping.DEFAULT,
        Rulebook.OFF,
        new Restraints(
            CallLimits.NONE,
            new LockoutSettings(after, Duration.ofMinutes(1), Duration.ofMinutes(5))));
  }

  @Test
  void whoIsLockedOutStaysSoUnderTheNextPolicyUnlessLockoutsHaveChanged() {
    TargetPolicy first = policy(3);
    for (int i = 1; i <= 3; i++) {
      first.lockouts().onRefused(ANN, "thing " + i);
    }
    first.lockouts().onRefused(BOB, "thing 1");
    TargetPolicy second = policy(3);
    second.follow(first);
    assertThat(second.lockouts().isOn(ANN)).isTrue();
    second.lockouts().onRefused(BOB, "thing 2");
    assertThat(second.lockouts().isOn(BOB)).isFalse();
    second.lockouts().onRefused(BOB, "thing 3");
    assertThat(second.lockouts().isOn(BOB)).isTrue();
    TargetPolicy third = policy(4);
    third.follow(second);
    assertThat(third.lockouts().isOn(ANN)).isFalse();
  }

  @Test
  void ofWhatHonestClientsHaveManyItTakesMany() {
    for (int i = 0; i < 149; i++) {
      lockouts.onRefusedManifold(ANN, "object " + i);
      lockouts.onRefusedManifold(ANN, "object 0");
    }
    guess(ANN, 1, 2);
    assertThat(lockouts.isOn(ANN)).isFalse();
    lockouts.onRefusedManifold(ANN, "object 149");
    assertThat(lockouts.isOn(ANN)).isTrue();
    assertThat(lockouts.views().get(0).refused())
        .containsExactly("150 objects, references, targets and missing rules");
  }

  @Test
  void theSameThingAgainAndAgainCountsOnce() {
    for (int i = 0; i < 100; i++) {
      guess(ANN, 1, 2);
    }
    assertThat(lockouts.isOn(ANN)).isFalse();
  }

  @Test
  void whoHasNoSessionIsCountedWithItsSessions() {
    TargetPolicy policy = policy(3);
    for (int i = 0; i < policy.lockouts().manifoldAfter() - 1; i++) {
      policy.onRefused(SessionBed.ANN, "10.0.0.2:1", "thing " + i);
      assertThat(policy.isLockedOut(SessionBed.ANN, "10.0.0.3:1")).isFalse();
    }
    policy.lockouts().onRefusedManifold(ANN, "a target");
    assertThat(policy.isLockedOut(SessionBed.ANN, "10.0.0.3:1")).isTrue();
    assertThat(policy.lockouts().isOn(ANN)).isTrue();
  }

  @Test
  void itIsOverInTimeAndCountingBeginsAnew() {
    guess(ANN, 1, 3);
    pass(Duration.ofMinutes(5).minusNanos(1));
    guess(ANN, 4, 9);
    assertThat(lockouts.isOn(ANN)).isTrue();
    pass(Duration.ofNanos(1));
    assertThat(lockouts.isOn(ANN)).isFalse();
    assertThat(lockouts.views()).isEmpty();
    guess(ANN, 1, 2);
    assertThat(lockouts.isOn(ANN)).isFalse();
  }

  @Test
  void whatIsTriedSlowlyDoesNotCount() {
    guess(ANN, 1, 2);
    pass(Duration.ofMinutes(1));
    guess(ANN, 3, 4);
    assertThat(lockouts.isOn(ANN)).isFalse();
  }

  @Test
  void whoHasNotLoggedInIsToldFromOthersByTheAddress() {
    Caller one = Caller.of(Principal.ANONYMOUS, "10.0.0.1:1");
    guess(one, 1, 3);
    assertThat(lockouts.isOn(Caller.of(Principal.ANONYMOUS, "10.0.0.1:2"))).isTrue();
    assertThat(lockouts.isOn(Caller.of(Principal.ANONYMOUS, "10.0.0.2:1"))).isFalse();
    assertThat(lockouts.views().get(0).principal()).isEqualTo("anonymous at 10.0.0.1");
    assertThat(Caller.of(SessionBed.ANN, "10.0.0.2:1")).isEqualTo(ANN);
  }

  @Test
  void whoIsLockedOutIsToldUntilWhenAndCanBeLetInAgain() {
    assertThat(lockouts.until(ANN)).isEmpty();
    guess(ANN, 1, 3);
    guess(BOB, 1, 3);
    assertThat(lockouts.until(ANN)).contains(lockouts.views().get(0).until());
    String id = lockouts.views().get(0).id();
    assertThat(lockouts.end("unknown")).isEmpty();
    assertThat(lockouts.end(id)).isPresent();
    assertThat(lockouts.end(id)).isEmpty();
    assertThat(lockouts.isOn(ANN)).isFalse();
    assertThat(lockouts.until(ANN)).isEmpty();
    assertThat(lockouts.isOn(BOB)).isTrue();
    guess(ANN, 1, 2);
    assertThat(lockouts.isOn(ANN)).isFalse();
  }

  @Test
  void ofEachCallerIsKnownAtWhichTargetsItHasCalledAMethodOfTheJars() {
    lockouts.onKnownMethod(ANN, "inside:1099");
    assertThat(lockouts.hasKnownMethod(ANN, "inside:1099")).isTrue();
    assertThat(lockouts.hasKnownMethod(ANN, "inside:1100")).isFalse();
    assertThat(lockouts.hasKnownMethod(BOB, "inside:1099")).isFalse();
  }
}

package io.rmigate.gateway.login;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Who guesses has to wait; who does not is let in. */
class GuessBrakeTest {
  private static final String HOME = "192.0.2.1";

  private final AtomicLong now = new AtomicLong();
  private final GuessBrake brake = new GuessBrake(now::get);

  private void pass(Duration time) {
    now.addAndGet(time.toNanos());
  }

  private void guess(int times, String name, String address) {
    for (int i = 0; i < times; i++) {
      brake.wrong(name, address);
    }
  }

  @Test
  void anAccountIsLockedWhereItIsGuessedAtAndNowhereElse() {
    guess(9, "alice", "198.51.100.1");
    assertThat(brake.allows("alice", "198.51.100.1")).isTrue();
    guess(1, "alice", "198.51.100.1");

    assertThat(brake.allows("alice", "198.51.100.1")).isFalse();
    assertThat(brake.allows("bob", "198.51.100.1")).isTrue();
    assertThat(brake.allows("alice", HOME)).isTrue();
  }

  @Test
  void aLockIsOverAfterAMinuteHoweverMuchWasGuessedMeanwhile() {
    guess(10, "alice", HOME);
    pass(Duration.ofSeconds(59));
    guess(10, "alice", HOME);
    assertThat(brake.allows("alice", HOME)).isFalse();
    pass(Duration.ofSeconds(2));

    assertThat(brake.allows("alice", HOME)).isTrue();
  }

  @Test
  void anAddressIsLockedThatTriesManyNames() {
    for (int i = 0; i < GuessBrake.OF_ADDRESS; i++) {
      assertThat(brake.allows("user" + i, "198.51.100.1")).isTrue();
      guess(1, "user" + i, "198.51.100.1");
    }

    assertThat(brake.allows("alice", "198.51.100.1")).isFalse();
    assertThat(brake.allows("alice", HOME)).isTrue();
    pass(Duration.ofSeconds(61));
    assertThat(brake.allows("alice", "198.51.100.1")).isTrue();
  }

  @Test
  void aNetworkOfIpv6IsOneAddress() {
    for (int i = 0; i < GuessBrake.OF_ADDRESS; i++) {
      guess(1, "user" + i, "2001:db8:1:2::" + Integer.toHexString(i + 1));
    }

    assertThat(brake.allows("alice", "2001:db8:1:2:ffff::1")).isFalse();
    assertThat(brake.allows("alice", "2001:db8:1:3::1")).isTrue();
  }

  @Test
  void anAccountThatIsGuessedAtFromManyAddressesHasOneAttemptLeftAtEach() {
    for (int i = 0; i < GuessBrake.OF_NAME; i++) {
      guess(1, "alice", "198.51.100." + i);
    }

    assertThat(brake.allows("alice", "203.0.113.1")).isTrue();
    guess(1, "alice", "203.0.113.1");
    assertThat(brake.allows("alice", "203.0.113.1")).isFalse();
    assertThat(brake.allows("bob", "203.0.113.1")).isTrue();
  }

  @Test
  void nobodyIsLockedOutFromElsewhereForEver() {
    brake.right("alice", HOME);
    for (int minute = 0; minute < 60 * 23; minute++) {
      for (int i = 0; i < GuessBrake.OF_NAME; i++) {
        guess(1, "alice", "198.51.100." + i);
      }
      assertThat(brake.allows("alice", HOME)).isTrue();
      assertThat(brake.allows("alice", "192.0.2.200")).as("where she has never been").isTrue();
      pass(Duration.ofMinutes(1));
    }
  }

  @Test
  void whoHasLoggedInFromThereIsNotLockedByNeighbours() {
    brake.right("alice", HOME);
    for (int i = 0; i < 2 * GuessBrake.OF_ADDRESS; i++) {
      guess(1, "user" + i, HOME);
    }

    assertThat(brake.allows("alice", HOME)).isTrue();
    assertThat(brake.allows("bob", HOME)).isFalse();
    guess(GuessBrake.OF_NAME_AND_ADDRESS, "alice", HOME);
    assertThat(brake.allows("alice", HOME)).as("guessed at beside her").isFalse();
  }

  @Test
  void oneAddressAloneDoesNotReachTheLimitOfAName() {
    guess(10 * GuessBrake.OF_NAME, "alice", "198.51.100.1");
    guess(1, "alice", HOME);

    assertThat(brake.allows("alice", HOME)).isTrue();
    assertThat(brake.allows("bob", "198.51.100.1")).isFalse();
  }

  @Test
  void rememberedPasswordsAreForVerifiedAddressesWithinTheirLimit() {
    assertThat(brake.allowsRemembered("alice", HOME)).isFalse();
    brake.right("alice", HOME);
    for (int i = 0; i < GuessBrake.OF_VERIFIED; i++) {
      assertThat(brake.allowsRemembered("alice", HOME)).isTrue();
      brake.notRemembered("alice", HOME);
    }

    assertThat(brake.allowsRemembered("alice", HOME)).isFalse();
    assertThat(brake.allowsRemembered("bob", HOME)).isFalse();
    assertThat(brake.allowsRemembered("alice", "198.51.100.1")).isFalse();
    pass(Duration.ofSeconds(61));
    assertThat(brake.allowsRemembered("alice", HOME)).isTrue();
  }

  @Test
  void aRightPasswordForgetsThoseThatWereNotRememberedBeforeIt() {
    brake.right("alice", HOME);
    for (int i = 0; i < GuessBrake.OF_VERIFIED; i++) {
      brake.notRemembered("alice", HOME);
    }
    brake.right("alice", HOME);

    assertThat(brake.allowsRemembered("alice", HOME)).isTrue();
  }
}

package io.rmigate.gateway.callback;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.callback.InnerLeases.Standing;
import io.rmigate.gateway.quota.Quota;
import io.rmigate.gateway.quota.Shares;
import io.rmigate.protocol.AddressOwner;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.VmIdentifier;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** JRMP.md 5.2: what a server of the distributed garbage collector makes of dirties and cleans. */
class InnerLeasesTest {
  private static final ObjIdentifier A = new ObjIdentifier(1, 2, 3, (short) 4);
  private static final ObjIdentifier B = new ObjIdentifier(2, 2, 3, (short) 4);
  private static final VmIdentifier ONE = new VmIdentifier(1, 2, 3, (short) 4);
  private static final VmIdentifier OTHER = new VmIdentifier(2, 2, 3, (short) 4);
  private static final long LATER = 100;

  private static final InetAddress HERE = address(1);
  private static final InetAddress THERE = address(2);

  private final Shares<AddressOwner> shares = new Shares<>();
  private final InnerLeases leases = new InnerLeases(shares, Quota.threeQuarters(100));

  private static InetAddress address(int last) {
    try {
      return InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) last});
    } catch (UnknownHostException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private List<ObjIdentifier> dirty(VmIdentifier client, long sequence, ObjIdentifier... objects) {
    InnerLeases.Answer answer = leases.dirty(client, HERE, sequence, List.of(objects), LATER);
    assertThat(answer.standing()).isEqualTo(Standing.GRANTED);
    return answer.first();
  }

  private List<ObjIdentifier> clean(VmIdentifier client, long sequence, ObjIdentifier... objects) {
    return leases.clean(client, HERE, sequence, List.of(objects), false, LATER);
  }

  @Test
  void firstHolderTakesAndLastReleases() {
    assertThat(dirty(ONE, 1, A, B)).containsExactly(A, B);
    assertThat(dirty(OTHER, 1, A)).isEmpty();
    assertThat(clean(ONE, 2, A, B)).containsExactly(B);
    assertThat(clean(OTHER, 2, A)).containsExactly(A);
    assertThat(leases.held()).isZero();
  }

  @Test
  void whatAJvmHoldsNoOtherHostLetsGoInItsName() {
    dirty(ONE, 1, A);
    assertThat(leases.clean(ONE, THERE, 9, List.of(A), true, LATER)).isEmpty();
    assertThat(leases.held()).isEqualTo(1);
    leases.dirty(ONE, THERE, 9, List.of(A), LATER); // nor does it spoil its numbers
    assertThat(dirty(ONE, 2, B)).containsExactly(B);
    assertThat(clean(ONE, 3, A, B)).containsExactly(B);
    assertThat(leases.clean(ONE, THERE, 10, List.of(A), false, LATER)).containsExactly(A);
  }

  @Test
  void cleanBeforeDirtyIsIgnored() {
    assertThat(clean(ONE, 5, A)).isEmpty();
    assertThat(dirty(ONE, 4, A)).containsExactly(A); // leaks until the lease ends, as in a server
    assertThat(leases.held()).isEqualTo(1);
  }

  @Test
  void cleanWithASmallerNumberIsIgnored() {
    dirty(ONE, 5, A);
    assertThat(clean(ONE, 4, A)).isEmpty();
    assertThat(clean(ONE, 5, A)).containsExactly(A);
  }

  @Test
  void dirtyThatIsLateIsIgnoredButRenews() {
    dirty(ONE, 5, A);
    clean(ONE, 6, A);
    dirty(ONE, 7, B);
    assertThat(leases.dirty(ONE, HERE, 7, List.of(B), 3 * LATER).first()).isEmpty();
    assertThat(leases.expire(2 * LATER)).isEmpty();
  }

  @Test
  void strongCleanKeepsItsNumber() {
    dirty(ONE, 5, A);
    assertThat(leases.clean(ONE, HERE, 8, List.of(A), true, LATER)).containsExactly(A);
    assertThat(dirty(ONE, 7, A)).isEmpty(); // comes after all
    assertThat(leases.held()).isZero();
    assertThat(dirty(ONE, 9, A)).containsExactly(A);
    assertThat(clean(ONE, 10, A)).containsExactly(A);
    assertThat(dirty(ONE, 9, A)).isEmpty(); // and once kept it stays kept
  }

  @Test
  void whatAStrongCleanKeepsIsForgottenInTime() {
    leases.dirty(ONE, HERE, 1, List.of(A, B), 9 * LATER);
    leases.clean(ONE, HERE, 8, List.of(A, B), true, LATER);
    leases.clean(ONE, HERE, 9, List.of(A), true, 2 * LATER); // once more: kept for longer
    assertThat(leases.expire(LATER)).isEmpty();
    assertThat(shares.taken()).isEqualTo(2); // A, and the JVM
    assertThat(leases.dirty(ONE, HERE, 7, List.of(A), 9 * LATER).first()).isEmpty();
    assertThat(leases.dirty(ONE, HERE, 7, List.of(B), 9 * LATER).first()).containsExactly(B);
    leases.expire(2 * LATER);
    assertThat(shares.taken()).isEqualTo(2); // B, and the JVM
  }

  @Test
  void whatIsHeldAgainBehindAStrongCleanIsNotForgotten() {
    leases.dirty(ONE, HERE, 1, List.of(A), 9 * LATER);
    leases.clean(ONE, HERE, 2, List.of(A), true, LATER);
    leases.dirty(ONE, HERE, 3, List.of(A), 9 * LATER);
    assertThat(leases.expire(LATER)).isEmpty();
    assertThat(leases.held()).isEqualTo(1);
    assertThat(shares.taken()).isEqualTo(2);
    assertThat(clean(ONE, 4, A)).containsExactly(A); // like any other from now on
    assertThat(shares.taken()).isEqualTo(1);
  }

  @Test
  void strongCleansWithoutEndTakeNoMoreThanThoseOfOneLease() {
    for (int i = 0; i < 10_000; i++) { // one JVM, which renews all the time
      List<ObjIdentifier> next = many(i, 1);
      InnerLeases.Answer answer = leases.dirty(ONE, HERE, 2L * i, next, i + LATER);
      assertThat(answer.first()).isEqualTo(next);
      leases.clean(ONE, HERE, 2L * i + 1, next, true, i + 10);
      leases.expire(i);
      assertThat(shares.taken()).isLessThanOrEqualTo(11);
    }
  }

  @Test
  void strongCleansOfAnEndedLeaseLeaveNothing() {
    dirty(ONE, 1, A);
    leases.clean(ONE, HERE, 2, List.of(A), true, 2 * LATER);
    leases.expire(LATER);
    assertThat(leases.holders()).isZero();
    assertThat(shares.taken()).isZero();
    dirty(ONE, 1, A);
    assertThat(leases.expire(3 * LATER)).containsExactly(A);
  }

  @Test
  void hostsOfAnIpv6NetworkShareButHoldEachForItself() throws Exception {
    InetAddress one = InetAddress.getByName("2001:db8::1");
    InetAddress other = InetAddress.getByName("2001:db8::2");
    leases.dirty(ONE, one, 1, List.of(A), LATER);
    leases.dirty(ONE, other, 1, List.of(A), LATER);
    assertThat(shares.of(AddressOwner.of(one))).isEqualTo(4);
    assertThat(leases.clean(ONE, other, 2, List.of(A), false, LATER)).isEmpty();
    assertThat(leases.held()).isEqualTo(1);
    assertThat(leases.expire(LATER)).containsExactly(A);
    assertThat(shares.taken()).isZero();
  }

  @Test
  void anyDirtyRenewsAllThatItsJvmHolds() {
    dirty(ONE, 1, A);
    dirty(OTHER, 1, B);
    assertThat(leases.dirty(ONE, HERE, 2, List.of(), 3 * LATER).standing())
        .isEqualTo(Standing.GRANTED);
    assertThat(leases.expire(2 * LATER)).containsExactly(B);
    assertThat(leases.expire(3 * LATER)).containsExactly(A);
    assertThat(leases.holders()).isZero();
  }

  @Test
  void renewalOfAJvmThatIsUnknownIsNotGrantedUntilItNamesWhatItHolds() {
    assertThat(leases.dirty(ONE, HERE, 5, List.of(), LATER).standing()).isEqualTo(Standing.UNKNOWN);
    assertThat(leases.dirty(ONE, HERE, 6, List.of(), LATER).standing())
        .isEqualTo(Standing.STILL_UNKNOWN);
    assertThat(dirty(ONE, 7, A)).containsExactly(A);
    clean(ONE, 8, A);
    assertThat(dirty(ONE, 9)).isEmpty();
  }

  @Test
  void objectOfSeveralHoldersIsReleasedWhenTheLastLeaseEnds() {
    dirty(ONE, 1, A);
    leases.dirty(OTHER, HERE, 1, List.of(A), 2 * LATER);
    assertThat(leases.expire(LATER)).isEmpty();
    assertThat(leases.expire(2 * LATER)).containsExactly(A);
  }

  @Test
  void whatIsBeyondTheBoundIsRefusedWhole() {
    InnerLeases few = new InnerLeases(shares, Quota.threeQuarters(6));
    assertThat(few.dirty(ONE, HERE, 1, List.of(A, B), LATER).standing())
        .isEqualTo(Standing.GRANTED);
    assertThat(few.dirty(OTHER, THERE, 1, List.of(A), LATER).standing())
        .isEqualTo(Standing.GRANTED);
    assertThat(few.dirty(OTHER, THERE, 2, many(2, 3), LATER).standing()).isEqualTo(Standing.FULL);
    assertThat(few.dirty(OTHER, THERE, 3, List.of(B), LATER).first()).isEmpty();
    assertThat(shares.taken()).isEqualTo(6);
    assertThat(few.dirty(ONE, HERE, 3, List.of(A, B), LATER).standing())
        .isEqualTo(Standing.GRANTED); // what is known already needs no room
    assertThat(few.expire(LATER)).hasSize(2);
    assertThat(shares.taken()).isZero();
  }

  @Test
  void oneHostDoesNotLockOthersOut() {
    for (int vm = 0; vm < 200; vm++) { // which makes up JVMs as it likes
      leases.dirty(new VmIdentifier(vm, 9, 9, (short) 9), HERE, 1, many(2L * vm, 2), LATER);
    }
    assertThat(shares.of(AddressOwner.of(HERE))).isBetween(60L, 75L);
    assertThat(leases.dirty(ONE, THERE, 1, many(1000, 5), LATER).standing())
        .isEqualTo(Standing.GRANTED);
    leases.clear();
    assertThat(shares.taken()).isZero();
    assertThat(leases.held()).isZero();
  }

  @Test
  void cleansGiveRoomBack() {
    dirty(ONE, 1, A, B);
    clean(ONE, 2, A);
    assertThat(shares.of(AddressOwner.of(HERE))).isEqualTo(2); // B, and the JVM
    leases.clean(ONE, HERE, 3, List.of(B), true, LATER);
    assertThat(shares.of(AddressOwner.of(HERE))).isEqualTo(2); // whose number is kept
  }

  private static List<ObjIdentifier> many(long first, int count) {
    return LongStream.range(first, first + count)
        .mapToObj(number -> new ObjIdentifier(number, 7, 7, (short) 7))
        .toList();
  }
}

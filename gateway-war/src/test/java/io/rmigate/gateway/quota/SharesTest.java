package io.rmigate.gateway.quota;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Who may have how much of something that is bounded. */
class SharesTest {
  private static final Quota HALF_OF_ALL = Quota.half(100);
  private static final Quota THREE_QUARTERS = Quota.threeQuarters(100);

  private final Shares<String> shares = new Shares<>();

  private int takeAll(String holder, Quota quota) {
    int count = 0;
    while (shares.take(holder, 1, quota)) {
      count++;
    }
    return count;
  }

  @Test
  void eachHolderLeavesUnitsToTheNext() {
    assertThat(takeAll("ann", HALF_OF_ALL)).isEqualTo(50);
    assertThat(takeAll("bob", HALF_OF_ALL)).isEqualTo(25);
    assertThat(takeAll("eve", HALF_OF_ALL)).isEqualTo(13);
    assertThat(shares.take("mia", 1, HALF_OF_ALL)).isTrue();
  }

  @Test
  void aGreaterFactorLeavesLess() {
    assertThat(takeAll("ann", THREE_QUARTERS)).isEqualTo(75);
    assertThat(takeAll("bob", THREE_QUARTERS)).isEqualTo(19);
    assertThat(shares.take("mia", 1, THREE_QUARTERS)).isTrue();
  }

  @Test
  void aHolderHasNoMoreThanItsBound() {
    Quota quota = Quota.of(10, 6);
    assertThat(takeAll("ann", quota)).isEqualTo(6);
    assertThat(takeAll("bob", quota)).isEqualTo(4);
    assertThat(takeAll("eve", quota)).isZero();
    assertThat(takeAll("ann", THREE_QUARTERS.withEach(8))).isEqualTo(2);
  }

  @Test
  void oneLargestHolderMayHaveMoreWhileOthersHaveLittle() {
    Quota quota = Quota.half(1000).withLargest(800);
    assertThat(shares.take("bob", 100, quota)).isTrue();
    assertThat(shares.take("ann", 800, quota)).isTrue();
    assertThat(shares.take("bob", 1, quota)).isFalse();
    assertThat(shares.take("eve", 50, quota)).isTrue();
    shares.release("ann", 800);
    assertThat(shares.take("ann", 800, quota)).as("while others have 150").isFalse();
  }

  @Test
  void whatIsRefusedIsNotTaken() {
    assertThat(shares.take("ann", 51, HALF_OF_ALL)).isFalse();
    assertThat(shares.taken()).isZero();
    assertThat(shares.holders()).isZero();
    assertThat(shares.permits("ann", 51, HALF_OF_ALL)).isFalse();
    assertThat(shares.permits("ann", 50, HALF_OF_ALL)).isTrue();
    assertThat(shares.taken()).isZero();
  }

  @Test
  void whoHasMostIsTheGreediest() {
    assertThat(shares.greediest()).isEmpty();
    shares.takeAnyway("ann", 3);
    shares.takeAnyway("bob", 4);
    assertThat(shares.greediest()).contains("bob");
    shares.release("bob", 4);
    assertThat(shares.greediest()).contains("ann");
    assertThat(shares.holders()).isEqualTo(1);
  }

  @Test
  void aPermitGivesBackOnceAndTakesNoMoreAfterwards() {
    Permit<String> first = shares.permit("ann");
    Permit<String> second = shares.permit("ann");
    assertThat(first.take(30, HALF_OF_ALL)).isTrue();
    assertThat(second.take(20, HALF_OF_ALL)).isTrue();
    assertThat(second.take(1, HALF_OF_ALL)).isFalse();
    first.release(10);
    assertThat(shares.of("ann")).isEqualTo(40);
    first.close();
    first.close();
    first.release(20);
    assertThat(shares.of("ann")).isEqualTo(20);
    assertThat(first.take(1, HALF_OF_ALL)).isFalse();
    assertThat(first.taken()).isZero();
    second.close();
    assertThat(shares.taken()).isZero();
    assertThat(shares.holders()).isZero();
  }

  /** Against a count of every holder, and against the rule as it is written down. */
  @Test
  void countsAreThoseOfTheHoldersWhateverTheOrder() {
    Random random = new Random(1);
    for (Quota quota :
        List.of(
            Quota.of(100),
            Quota.of(100, 30),
            Quota.half(100),
            Quota.threeQuarters(100),
            Quota.half(100).withEach(20),
            Quota.half(100).withLargest(60))) {
      Shares<Integer> some = new Shares<>();
      Map<Integer, Long> counts = new HashMap<>();
      long all = 0;
      for (int step = 0; step < 100_000; step++) {
        int holder = (int) (9 * random.nextDouble() * random.nextDouble());
        long own = counts.getOrDefault(holder, 0L);
        if (random.nextInt(5) < 3) {
          int units = 1 + random.nextInt(9);
          boolean expected = rule(quota, own + units, all + units);
          assertThat(some.take(holder, units, quota)).isEqualTo(expected);
          if (expected) {
            counts.put(holder, own + units);
            all += units;
          }
        } else if (own > 0) {
          long units = 1L + random.nextInt((int) own);
          some.release(holder, units);
          counts.put(holder, own - units);
          all -= units;
        }
        assertThat(some.of(holder)).isEqualTo(counts.getOrDefault(holder, 0L));
        assertThat(some.taken()).isEqualTo(all);
      }
      counts.forEach(some::release);
      assertThat(some.taken()).isZero();
      assertThat(some.holders()).isZero();
    }
  }

  private static boolean rule(Quota quota, long own, long all) {
    long free = quota.total() - all;
    long others = all - own;
    boolean fair = quota.timesFree() == 0 || own <= quota.timesFree() * (free + 1);
    boolean largest = own <= quota.largest() && 2 * others <= quota.total() - quota.largest();
    return free >= 0 && own <= quota.each() && (fair || largest);
  }

  @Test
  void threadsNeverTakeMoreThanThereIsAndLeaveNothing() {
    Share whole = new Share(HALF_OF_ALL);
    List<Share> parts = List.of(whole.part(), whole.part(), whole.part());
    List<CompletableFuture<Boolean>> threads = new ArrayList<>();
    for (int thread = 0; thread < 4; thread++) {
      Random random = new Random(thread);
      threads.add(CompletableFuture.supplyAsync(() -> staysWithin(whole, parts, random)));
    }
    assertThat(threads).allMatch(CompletableFuture::join);
    assertThat(whole.taken()).isZero();
    assertThat(parts).allMatch(part -> part.taken() == 0);
    assertThat(shares.taken()).isZero();
    assertThat(shares.holders()).isZero();
  }

  private record Taken(int holder, int units) {}

  private boolean staysWithin(Share whole, List<Share> parts, Random random) {
    boolean within = true;
    Deque<Taken> mine = new ArrayDeque<>();
    for (int step = 0; step < 20_000; step++) {
      int holder = random.nextInt(parts.size());
      int units = 1 + random.nextInt(40);
      if (parts.get(holder).take(units)) {
        if (shares.take("holder " + holder, units, THREE_QUARTERS)) {
          mine.add(new Taken(holder, units));
        } else {
          parts.get(holder).release(units);
        }
      }
      within &= isWithin(whole.taken()) && isWithin(shares.taken());
      within &= isWithin(parts.get(holder).taken()) && isWithin(shares.of("holder " + holder));
      while (mine.size() > random.nextInt(4)) {
        release(parts, mine.remove());
      }
    }
    mine.forEach(one -> release(parts, one));
    return within;
  }

  private void release(List<Share> parts, Taken one) {
    parts.get(one.holder()).release(one.units());
    shares.release("holder " + one.holder(), one.units());
  }

  private static boolean isWithin(long taken) {
    return 0 <= taken && taken <= 100;
  }
}

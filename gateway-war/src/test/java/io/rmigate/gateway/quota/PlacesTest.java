package io.rmigate.gateway.quota;

import static io.rmigate.testing.Patience.PATIENCE;
import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.quota.Places.Entry;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class PlacesTest {
  private final Places<String> places = new Places<>(Quota.of(2, 1), Quota.of(2));

  private static long patience() {
    return System.nanoTime() + PATIENCE.toNanos();
  }

  private CompletableFuture<Entry> waits(String sharer) {
    int before = places.waiting();
    CompletableFuture<Entry> entry =
        CompletableFuture.supplyAsync(
            () -> places.enter(sharer, patience()), task -> new Thread(task).start());
    await().until(() -> places.waiting() == before + 1);
    return entry;
  }

  @Test
  void whoHasHisShareWaitsAndOthersPassHim() throws Exception {
    assertThat(places.enter("ann", patience())).isEqualTo(Entry.ADMITTED);
    CompletableFuture<Entry> again = waits("ann");

    assertThat(places.enter("bob", patience())).isEqualTo(Entry.ADMITTED);

    assertThat(again).isNotDone();
    places.leave("ann");
    assertThat(again.get()).isEqualTo(Entry.ADMITTED);
  }

  @Test
  void whoWaitsLongestIsFirst() throws Exception {
    places.enter("ann", patience());
    places.enter("bob", patience());
    CompletableFuture<Entry> first = waits("carl");
    CompletableFuture<Entry> second = waits("dora");

    places.leave("ann");

    assertThat(first.get()).isEqualTo(Entry.ADMITTED);
    assertThat(second).isNotDone();
    places.leave("carl");
    assertThat(second.get()).isEqualTo(Entry.ADMITTED);
  }

  @Test
  void noMoreWaitThanMay() throws Exception {
    places.enter("ann", patience());
    places.enter("bob", patience());
    CompletableFuture<Entry> one = waits("carl");
    CompletableFuture<Entry> another = waits("dora");

    assertThat(places.enter("eve", patience())).isEqualTo(Entry.CROWDED);
    places.leave("ann");
    places.leave("bob");
    assertThat(one.get()).isEqualTo(Entry.ADMITTED);
    assertThat(another.get()).isEqualTo(Entry.ADMITTED);
  }

  @Test
  void waitEndsAtItsDeadline() {
    places.enter("ann", patience());

    assertThat(places.enter("ann", System.nanoTime() + 1_000_000)).isEqualTo(Entry.LATE);

    assertThat(places.waiting()).isZero();
  }

  @Test
  void placesAreGivenUpOnlyWhenNobodyIsThere() {
    places.enter("ann", patience());
    assertThat(places.retireIfEmpty()).isFalse();
    places.leave("ann");

    assertThat(places.retireIfEmpty()).isTrue();

    assertThat(places.enter("ann", patience())).isEqualTo(Entry.RETIRED);
  }
}

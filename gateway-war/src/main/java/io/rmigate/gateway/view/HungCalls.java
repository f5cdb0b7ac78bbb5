package io.rmigate.gateway.view;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Which calls wait, the oldest first, and which of them have waited for too long. Thread-safe. */
public final class HungCalls {
  /** The longest list. */
  private static final int MAX_LISTED = 500;

  private final Supplier<Stream<GatewayView.CallView>> waiting;
  private final Supplier<Duration> hungAfter;
  private final int maxListed;

  /**
   * @param waiting all calls that wait now
   * @param hungAfter asked each time: a reload shows at once
   */
  public HungCalls(Supplier<Stream<GatewayView.CallView>> waiting, Supplier<Duration> hungAfter) {
    this(waiting, hungAfter, MAX_LISTED);
  }

  public HungCalls(
      Supplier<Stream<GatewayView.CallView>> waiting, Supplier<Duration> hungAfter, int maxListed) {
    this.waiting = waiting;
    this.hungAfter = hungAfter;
    this.maxListed = maxListed;
  }

  /** The calls that wait, oldest first; if they are too many the oldest. */
  public List<GatewayView.CallView> list() {
    Comparator<GatewayView.CallView> byAge =
        Comparator.comparingLong(GatewayView.CallView::ageMillis);
    PriorityQueue<GatewayView.CallView> oldest = new PriorityQueue<>(byAge);
    waiting
        .get()
        .forEach(
            call -> {
              oldest.add(call);
              if (oldest.size() > maxListed) {
                oldest.remove();
              }
            });
    long limit = hungAfter.get().toMillis();
    return oldest.stream()
        .sorted(byAge.reversed())
        .map(call -> call.ageMillis() > limit ? call.asHung() : call)
        .toList();
  }

  /** How many calls have waited for too long. */
  public long count() {
    long limit = hungAfter.get().toMillis();
    return waiting.get().filter(call -> call.ageMillis() > limit).count();
  }
}

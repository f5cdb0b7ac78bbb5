package io.rmigate.gateway.stream;

import io.rmigate.gateway.view.GatewayView;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Totals per target since the start. Bounded; targets beyond the bound share one row. */
public final class TargetStats {
  private static final int MAX_TARGETS = 1000;

  /** One row. */
  public static final class Row {
    final String target;
    final AtomicInteger connections = new AtomicInteger();
    final LongAdder calls = new LongAdder();
    final LongAdder refused = new LongAdder();
    final LongAdder failures = new LongAdder();
    volatile String lastFailure = "";

    private Row(String target) {
      this.target = target;
    }

    private GatewayView.TargetView view() {
      return new GatewayView.TargetView(
          target, connections.get(), calls.sum(), refused.sum(), failures.sum(), lastFailure);
    }
  }

  private final ConcurrentMap<String, Row> rows = new ConcurrentHashMap<>();

  /** The row of a target that a permitted principal uses. */
  public Row of(String target) {
    String key = rows.size() < MAX_TARGETS || rows.containsKey(target) ? target : "(others)";
    return rows.computeIfAbsent(key, Row::new);
  }

  public List<GatewayView.TargetView> views() {
    return rows.values().stream().map(Row::view).toList();
  }
}

package io.rmigate.perf.link;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Keeps what a link carries, to be looked at afterwards: all of it, or what the client's end saw
 * within a time. Thread-safe.
 */
public final class TrafficRecord implements LinkListener {
  private final LinkProfile profile;

  /** Guarded by {@code this}. */
  private final List<Crossing> crossings = new ArrayList<>();

  /** When each connection was opened. Guarded by {@code this}. */
  private final Map<Integer, Long> openings = new TreeMap<>();

  /** For a link of that profile. */
  public TrafficRecord(LinkProfile profile) {
    this.profile = profile;
  }

  @Override
  public synchronized void opened(int connection, InetSocketAddress target, long nanos) {
    openings.put(connection, nanos);
  }

  @Override
  public synchronized void crossed(Crossing crossing) {
    crossings.add(crossing);
  }

  /** Forgets everything. */
  public synchronized void clear() {
    crossings.clear();
    openings.clear();
  }

  /** All packets, in the order in which they were sent. */
  public List<Crossing> crossings() {
    return crossings(Long.MIN_VALUE, Long.MAX_VALUE);
  }

  /** Packets that the client sent or received from one time until before the other. */
  public synchronized List<Crossing> crossings(long fromNanos, long toNanos) {
    return crossings.stream()
        .filter(crossing -> crossing.seenByClientNanos() >= fromNanos)
        .filter(crossing -> crossing.seenByClientNanos() < toNanos)
        .sorted(Comparator.comparingLong(Crossing::sentNanos))
        .toList();
  }

  /** Everything. */
  public Traffic traffic() {
    return traffic(Long.MIN_VALUE, Long.MAX_VALUE);
  }

  /**
   * The traffic from the one time to before the other, as the client saw it. What TCP would add is
   * estimated as if its connections were fresh at the beginning.
   */
  public synchronized Traffic traffic(long fromNanos, long toNanos) {
    Map<Integer, TrafficMeter> meters = new TreeMap<>();
    openings.forEach(
        (connection, nanos) -> {
          if (nanos >= fromNanos && nanos < toNanos) {
            meter(meters, connection).opened();
          }
        });
    for (Crossing crossing : crossings(fromNanos, toNanos)) {
      meter(meters, crossing.connection()).crossed(crossing);
    }
    return meters.values().stream().map(TrafficMeter::traffic).reduce(Traffic.NONE, Traffic::plus);
  }

  private TrafficMeter meter(Map<Integer, TrafficMeter> meters, int connection) {
    return meters.computeIfAbsent(connection, unused -> new TrafficMeter(profile));
  }
}

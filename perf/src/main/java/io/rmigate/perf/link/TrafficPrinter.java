package io.rmigate.perf.link;

import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Prints the traffic of each connection when it ends, and the sum at the end. Thread-safe. */
final class TrafficPrinter implements LinkListener {
  private final LinkProfile profile;
  private final PrintStream out;

  /** By connection; guarded by {@code this}, as is {@code ended}. */
  private final Map<Integer, TrafficMeter> open = new HashMap<>();

  private Traffic ended = Traffic.NONE;

  TrafficPrinter(LinkProfile profile, PrintStream out) {
    this.profile = profile;
    this.out = out;
  }

  @Override
  public synchronized void opened(int connection, InetSocketAddress target, long nanos) {
    TrafficMeter meter = new TrafficMeter(profile);
    meter.opened();
    open.put(connection, meter);
    out.println(
        "connection " + connection + " to " + target.getHostString() + ":" + target.getPort());
  }

  @Override
  public synchronized void crossed(Crossing crossing) {
    TrafficMeter meter = open.get(crossing.connection());
    if (meter != null) { // it was cut while this was under way
      meter.crossed(crossing);
    }
  }

  @Override
  public synchronized void closed(int connection) {
    TrafficMeter meter = open.remove(connection);
    if (meter != null) {
      ended = ended.plus(meter.traffic());
      out.println("connection " + connection + " ended: " + text(meter.traffic()));
    }
  }

  /** All connections so far, ended or not. */
  synchronized String sum() {
    Traffic all = open.values().stream().map(TrafficMeter::traffic).reduce(ended, Traffic::plus);
    return "in all: " + all.connections() + " connections, " + text(all);
  }

  static String text(Traffic traffic) {
    return String.format(
        Locale.ROOT,
        "%d exchanges, %d bytes up, %d down, %d packets; TCP would add %d bytes and %.1f s of slow"
            + " start",
        traffic.exchanges(),
        traffic.upBytes(),
        traffic.downBytes(),
        traffic.packets(),
        traffic.tcp().bytes(),
        traffic.tcp().slowStart().toNanos() / 1e9);
  }
}

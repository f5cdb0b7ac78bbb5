package io.rmigate.perf.speed;

import com.sun.management.ThreadMXBean;
import io.rmigate.perf.harness.Samples;
import io.rmigate.perf.relay.RelaySocketFactory;
import io.rmigate.perf.services.JsonTester;
import io.rmigate.perf.services.SoapService;
import io.rmigate.sample.PerformanceTester;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.RMISocketFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Calls the sample server's {@link PerformanceTester} on command. One line in, one line out:
 *
 * <pre>
 * latency N                  N getters and N/4 pings on one thread, timed one by one
 * throughput THREADS MILLIS  as many calls as THREADS threads can make with one stub
 * quit
 * </pre>
 *
 * <p>The answer is a {@link Reading}. Each command first makes a tenth of the calls unmeasured:
 * connections that were idle too long are closed by RMI and must be there again.
 *
 * <pre>
 * SpeedClient rmi HOST REGISTRY-PORT
 * SpeedClient relay HOST REGISTRY-PORT RELAY-PORT
 * SpeedClient json|soap URL
 * </pre>
 */
public final class SpeedClient {
  private static final int GETTERS = 8;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final PerformanceTester tester;

  /** Its threads outlive a command, so that what they have cost can still be read afterwards. */
  private final ExecutorService pool = Executors.newCachedThreadPool();

  private SpeedClient(PerformanceTester tester) {
    this.tester = tester;
  }

  /** See the class comment. */
  public static void main(String[] args) throws Exception {
    SpeedClient client = new SpeedClient(tester(args));
    client.latency(GETTERS);
    System.out.println("client ready " + ProcessHandle.current().pid());
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      String[] words = line.split(" ", -1);
      if (words[0].equals("quit")) {
        break;
      }
      try {
        System.out.println(client.obey(words).line());
      } catch (Exception e) {
        System.out.println("error " + e);
        e.printStackTrace();
      }
    }
    System.exit(0);
  }

  private static PerformanceTester tester(String... way) throws Exception {
    return switch (way[0]) {
      case "rmi" -> byRmi(way[1], way[2]);
      case "relay" -> {
        RMISocketFactory.setSocketFactory(new RelaySocketFactory(Integer.parseInt(way[3])));
        yield byRmi(way[1], way[2]);
      }
      case "json" -> new JsonTester(way[1]);
      case "soap" -> new SoapService(way[1]).tester();
      default -> throw new IllegalArgumentException("unknown way " + way[0]);
    };
  }

  private static PerformanceTester byRmi(String host, String registry) throws Exception {
    return (PerformanceTester)
        LocateRegistry.getRegistry(host, Integer.parseInt(registry)).lookup(PerformanceTester.NAME);
  }

  private Reading obey(String[] words) throws Exception {
    return switch (words[0]) {
      case "latency" -> latency(Integer.parseInt(words[1]));
      case "throughput" -> throughput(Integer.parseInt(words[1]), Long.parseLong(words[2]));
      default -> throw new IllegalArgumentException("unknown command " + words[0]);
    };
  }

  private Reading latency(int calls) throws RemoteException {
    int pings = calls / 4;
    int before = calls / 10;
    for (int i = 0; i < before; i++) {
      get(i);
    }
    long[] getterNanos = new long[calls];
    long[] pingNanos = new long[pings];
    long self = Thread.currentThread().getId();
    AllocatedBytes all = AllocatedBytes.of(threads);
    long mine = threads.getThreadAllocatedBytes(self);
    for (int i = 0; i < calls; i++) {
      long start = System.nanoTime();
      get(i);
      getterNanos[i] = System.nanoTime() - start;
    }
    for (int i = 0; i < pings; i++) {
      long start = System.nanoTime();
      tester.ping();
      pingNanos[i] = System.nanoTime() - start;
    }
    double measured = calls + (double) pings;
    mine = threads.getThreadAllocatedBytes(self) - mine;
    long allBytes = AllocatedBytes.of(threads).since(all);
    Reading reading = new Reading();
    reading.put("calls", measured + before);
    reading.put("getters.p50", Samples.quantile(getterNanos, 0.50) / 1e3);
    reading.put("getters.p99", Samples.quantile(getterNanos, 0.99) / 1e3);
    reading.put("ping.p50", Samples.quantile(pingNanos, 0.50) / 1e3);
    reading.put("ping.p99", Samples.quantile(pingNanos, 0.99) / 1e3);
    reading.put("bytes.caller", mine / measured);
    reading.put("bytes.client", allBytes / measured);
    return reading;
  }

  private void get(int which) throws RemoteException {
    switch (which % GETTERS) {
      case 0 -> tester.getInt();
      case 1 -> tester.getShort();
      case 2 -> tester.getLong();
      case 3 -> tester.getFloat();
      case 4 -> tester.getDouble();
      case 5 -> tester.getBoolean();
      case 6 -> tester.getByte();
      default -> tester.getString();
    }
  }

  private Reading throughput(int count, long millis) throws Exception {
    long started = System.nanoTime();
    long from = started + TimeUnit.MILLISECONDS.toNanos(millis / 10);
    long until = from + TimeUnit.MILLISECONDS.toNanos(millis);
    List<Future<long[]>> running = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      running.add(pool.submit(() -> call(from, until)));
    }
    long all = 0;
    long measured = 0;
    for (Future<long[]> each : running) {
      long[] counts = each.get();
      all += counts[0];
      measured += counts[1];
    }
    Reading reading = new Reading();
    reading.put("calls", (double) all);
    reading.put("rate", measured * 1e9 / (until - from));
    return reading;
  }

  /** Number of all calls, and of calls that ended within the time. */
  private long[] call(long from, long until) throws RemoteException {
    long all = 0;
    long measured = 0;
    while (true) {
      if (tester.getInt() != 1_234_567) {
        throw new IllegalStateException("a wrong answer");
      }
      all++;
      long now = System.nanoTime();
      if (now - until > 0) {
        return new long[] {all, measured};
      }
      if (now - from > 0) {
        measured++;
      }
    }
  }
}

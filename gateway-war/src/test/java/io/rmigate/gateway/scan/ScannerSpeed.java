package io.rmigate.gateway.scan;

import io.rmigate.protocol.jrmp.CallBytes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.math.BigDecimal;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * How much less the scanner takes than an {@link ObjectInputStream} that reads the same Calls: CPU
 * time of one thread, both in turns within each round, the best of all rounds. A program, not a
 * test: times are no rule on a machine that does other things.
 */
final class ScannerSpeed {
  private static final int ROUNDS = 15;
  private static final long ROUND_BYTES = 4_000_000;
  private static final int LEAST_TIMES = 300;
  private static final int CALL_HEADER_BYTES = 34;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private interface Work {
    int run(byte[] call) throws IOException, ClassNotFoundException;
  }

  public static void main(String[] arguments) throws Exception {
    StreamScanner scanner = CorpusShapes.scanner();
    Work scan = call -> scanner.request(call, 0, call.length).classes().size();
    for (Map.Entry<String, Object> graph : graphs().entrySet()) {
      byte[] call = CallBytes.callWith(graph.getValue());
      if (!scanner.request(call, 0, call.length).isClean(call.length)) {
        throw new AssertionError("not clean: " + graph.getKey());
      }
      int times = (int) Math.max(LEAST_TIMES, ROUND_BYTES / (call.length + 200));
      long scanned = Long.MAX_VALUE;
      long read = Long.MAX_VALUE;
      for (int round = 0; round < ROUNDS; round++) {
        scanned = Math.min(scanned, cpuNanos(scan, call, times));
        read = Math.min(read, cpuNanos(ScannerSpeed::read, call, times));
      }
      System.out.printf(
          "%-22s %7d bytes  scanner %9.4f us  reader %9.2f us  %5.1f times%n",
          graph.getKey(),
          call.length,
          scanned / 1000.0 / times,
          read / 1000.0 / times,
          (double) read / scanned);
    }
  }

  private static long cpuNanos(Work work, byte[] call, int times)
      throws IOException, ClassNotFoundException {
    long before = THREADS.getCurrentThreadCpuTime();
    int sum = 0;
    for (int i = 0; i < times; i++) {
      sum += work.run(call);
    }
    long nanos = THREADS.getCurrentThreadCpuTime() - before;
    return sum < 0 ? 0 : nanos; // the sum is what keeps the work from being left out
  }

  private static int read(byte[] call) throws IOException, ClassNotFoundException {
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(call, 1, call.length - 1))) {
      in.readFully(new byte[CALL_HEADER_BYTES]);
      return in.readObject() == null ? 0 : 1;
    }
  }

  private static Map<String, Object> graphs() {
    Map<String, Object> graphs = new LinkedHashMap<>();
    graphs.put("a string", "a string");
    graphs.put("an Integer", 5);
    graphs.put("an exception", new IllegalStateException("x", new IOException("y")));
    graphs.put("64 KiB of bytes", new byte[65536]);
    List<Object> rows = new ArrayList<>();
    Map<String, Object> map = new HashMap<>();
    for (int i = 0; i < 1000; i++) {
      Map<String, Object> row = new HashMap<>();
      row.put("id", UUID.nameUUIDFromBytes(new byte[] {(byte) i, (byte) (i >> 8)}));
      row.put("amount", new BigDecimal("12.34").add(BigDecimal.valueOf(i)));
      row.put("name", "name of number " + i);
      row.put("time", OffsetDateTime.parse("2026-01-02T03:04:05Z").plusMinutes(i));
      rows.add(row);
      map.put("key " + i, (long) i);
    }
    graphs.put("1000 rows", rows);
    graphs.put("map of 1000 numbers", map);
    graphs.put("list of 3 strings", new ArrayList<>(List.of("a", "b", "c")));
    return graphs;
  }

  private ScannerSpeed() {}
}

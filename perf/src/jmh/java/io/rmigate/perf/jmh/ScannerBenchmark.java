package io.rmigate.perf.jmh;

import io.rmigate.gateway.scan.ScanLimits;
import io.rmigate.gateway.scan.ScanResult;
import io.rmigate.gateway.scan.StreamScanner;
import io.rmigate.gateway.scan.shape.Shapes;
import io.rmigate.protocol.jrmp.CallBytes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.math.BigDecimal;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * {@code perf/scanner}: the scanner beside an {@link ObjectInputStream} that reads the same Calls.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1, timeUnit = TimeUnit.SECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
public class ScannerBenchmark {
  private static final int CALL_HEADER_BYTES = 34;

  /** What the Call carries. */
  public enum Graph {
    STRING {
      @Override
      Object make() {
        return "a string";
      }
    },
    NUMBER {
      @Override
      Object make() {
        return 5;
      }
    },
    STRINGS {
      @Override
      Object make() {
        return new ArrayList<>(List.of("a", "b", "c"));
      }
    },
    EXCEPTION {
      @Override
      Object make() {
        return new IllegalStateException("x", new IOException("y"));
      }
    },
    MAP {
      @Override
      Object make() {
        Map<String, Object> map = new HashMap<>();
        for (int i = 0; i < 1000; i++) {
          map.put("key " + i, (long) i);
        }
        return map;
      }
    },
    ROWS_100 {
      @Override
      Object make() {
        return rows(100);
      }
    },
    ROWS_1000 {
      @Override
      Object make() {
        return rows(1000);
      }
    };

    abstract Object make();

    private static Object rows(int count) {
      List<Object> rows = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        Map<String, Object> row = new HashMap<>();
        row.put("id", UUID.nameUUIDFromBytes(new byte[] {(byte) i, (byte) (i >> 8)}));
        row.put("amount", new BigDecimal("12.34").add(BigDecimal.valueOf(i)));
        row.put("name", "name of number " + i);
        row.put("time", OffsetDateTime.parse("2026-01-02T03:04:05Z").plusMinutes(i));
        rows.add(row);
      }
      return rows;
    }
  }

  @Param public Graph graph;

  private final StreamScanner scanner = new StreamScanner(Shapes.ofJdk(), ScanLimits.DEFAULT);
  private final StreamScanner.RequestScans scans = scanner.requests();
  private byte[] call;

  @Setup
  public void write() {
    call = CallBytes.callWith(graph.make());
    if (!scanner.request(call, 0, call.length).isClean(call.length)) {
      throw new IllegalStateException("not clean: " + graph);
    }
  }

  @Benchmark
  public ScanResult scanner() {
    return scans.scan(call, 0, call.length);
  }

  @Benchmark
  public Object reader() throws IOException, ClassNotFoundException {
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(call, 1, call.length - 1))) {
      in.readFully(new byte[CALL_HEADER_BYTES]);
      return in.readObject();
    }
  }
}

package io.rmigate.gateway.scan;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.rmigate.gateway.scan.StreamScanner.RequestScans;
import io.rmigate.protocol.jrmp.CallBytes;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Memory that the scan of a small Call takes. The state of a scan that most Calls have no use for
 * is made when the first object needs it, so that a further check of the scanner costs such a Call
 * no memory.
 */
class ScannerAllocationTest {
  private static final int ROUNDS = 20;
  private static final int SCANS = 10;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static final StreamScanner SCANNER = CorpusShapes.scanner();

  private interface Scan {
    ScanResult of(byte[] call);
  }

  /** With the most bytes that the first scan of a caller takes, and one that follows others. */
  static Stream<Arguments> smallArguments() {
    return Stream.of(
        Arguments.of(named("a string", "a string"), 816, 120),
        Arguments.of(named("an Integer", 5), 1488, 1440),
        Arguments.of(
            named("a list of 3 strings", new ArrayList<>(List.of("a", "b", "c"))), 1432, 1384),
        Arguments.of(named("a map of 3 Integers", mapOfThree()), 2312, 2264),
        Arguments.of(named("an exception", exceptionWithoutTrace()), 2664, 2616));
  }

  private static Named<Serializable> named(String name, Serializable argument) {
    return Named.of(name, argument);
  }

  private static Serializable mapOfThree() {
    return new HashMap<>(Map.of("a", 1, "b", 2, "c", 3));
  }

  private static Serializable exceptionWithoutTrace() {
    Exception exception = new IllegalStateException("x");
    exception.setStackTrace(new StackTraceElement[0]);
    return exception;
  }

  @ParameterizedTest
  @MethodSource("smallArguments")
  void scansOfSmallCallsAllocateNoMoreThanTheirBound(
      Serializable argument, int mostOfFirst, int mostOfNext) throws Exception {
    byte[] call = CallBytes.callWith(argument);
    RequestScans scans = SCANNER.requests();

    assertAllocates(mostOfFirst, call, bytes -> SCANNER.request(bytes, 0, bytes.length));
    assertAllocates(mostOfNext, call, bytes -> scans.scan(bytes, 0, bytes.length));
  }

  /** The least of several rounds: a round may be compiled, or load a class. */
  private static void assertAllocates(int most, byte[] call, Scan scan) {
    long least = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      boolean isClean = true;
      for (int i = 0; i < SCANS; i++) {
        isClean &= scan.of(call).isClean(call.length);
      }
      least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
      assertTrue(isClean);
    }
    long ofOne = least / SCANS;
    assertTrue(ofOne <= most, "allocated " + ofOne + " bytes, more than " + most);
    assertTrue(ofOne > 0, "nothing was measured");
  }
}

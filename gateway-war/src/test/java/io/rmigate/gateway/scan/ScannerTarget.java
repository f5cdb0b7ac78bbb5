package io.rmigate.gateway.scan;

import java.util.Random;

/** Calls for the scanner, compared with the JDK's reader where it calls them clean. */
public final class ScannerTarget {
  private static final ScannerComparison COMPARISON =
      new ScannerComparison(CorpusShapes.scanner(), CorpusShapes.sequences(), new Random(1));

  /** Confined to one thread at a time. */
  public static void fuzzerTestOneInput(byte[] input) {
    COMPARISON.compare(input);
  }

  private ScannerTarget() {}
}

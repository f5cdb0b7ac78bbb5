package io.rmigate.gateway.scan;

import io.rmigate.gateway.scan.Finding.Kind;

/** The pattern of a query of JMX, which an MBean server compares with a text of each MBean. */
final class QueryPattern {
  /** In bytes; few, because each reference to a pattern has it looked at again. */
  private static final int LONGEST = 255;

  private QueryPattern() {}

  /**
   * Finds a pattern with several stars. An MBean server tries all that is left of a text for each
   * star, within the trials for the stars before; not for a star at the end.
   */
  static void check(ScanNotes notes, byte[] buf, int from, int length) {
    int stars = length > LONGEST ? 2 : 0;
    for (int i = from; stars < 2 && i < from + length - 1; i++) {
      int before = i > from ? buf[i - 1] & 0xFF : 0;
      boolean longer = (buf[i] & 0xFF) == 0xAA && (before == 0xC0 || before == 0x80);
      stars += buf[i] == '*' || longer ? 1 : 0; // readers take longer forms, too
    }
    if (stars > 1) {
      notes.find(Kind.TOO_MUCH_HASHING, "a pattern with several stars", from);
    }
  }
}

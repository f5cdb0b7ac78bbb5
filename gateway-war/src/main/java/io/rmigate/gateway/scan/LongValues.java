package io.rmigate.gateway.scan;

import io.rmigate.gateway.scan.Finding.Kind;

/**
 * The long arrays and strings of a message that comes in pieces, and the arguments of a call in
 * pieces, where it is known what its method takes. Confined to the scanning thread.
 */
final class LongValues {
  /** Shorter arrays and strings are as any other part of a message. */
  static final int SHORT_BYTES = 0xFFFF;

  /** Size of the header of a call in its block; primitive arguments follow. */
  private static final int CALL_HEADER_BYTES = 34;

  private final ScanNotes notes;

  /** Arguments of the called method; null if they are unknown. */
  private Arguments arguments;

  /** Only long arrays and strings may make the message longer than it may be. */
  private boolean bounded;

  /** Bytes of primitive arguments so far. */
  private long primitiveBytes = -CALL_HEADER_BYTES;

  /** Bytes claimed by the long arrays and strings that have begun. */
  private long claimed;

  /** Bytes that the array or string claims which was announced last, until it begins. */
  private long announced;

  /** Elements that arrays of objects have claimed, all together. */
  private long claimedElements;

  /** Bytes of the string in pieces that are still to come, and of the whole string. */
  private int textLeft;

  private int textLength;

  /** Where it is a key; null where it does not matter where it comes to stand. */
  private KeyChains.Table table;

  /** Hash code of the part that has come. */
  private int textHash;

  /** Steps of hashing all of it, which were counted when it began. */
  private long textSteps;

  /** The part of {@link #textSteps} for bytes that have not come yet. */
  private long stepsAhead;

  LongValues(ScanNotes notes) {
    this.notes = notes;
  }

  /** Another message begins, of which nothing is known. */
  void restart() {
    arguments = null;
    bounded = false;
    primitiveBytes = -CALL_HEADER_BYTES;
    claimed = 0;
    announced = 0;
    claimedElements = 0;
    textLeft = 0;
    textLength = 0;
    table = null;
    textHash = 0;
    textSteps = 0;
    stepsAhead = 0;
  }

  /** Expects a call with these arguments; values that are not {@link #claimed} may have a bound. */
  void expect(Arguments its, boolean isBounded) {
    arguments = its;
    bounded = isBounded;
  }

  /** An array or a string says how many bytes it has; again each time until it begins. */
  void announce(long bytes) {
    announced = bytes > SHORT_BYTES ? bytes : 0;
  }

  /** An array or a string begins; whether it is one that was announced. */
  boolean begin() {
    boolean isLong = announced > 0;
    claimed += announced;
    announced = 0;
    return isLong;
  }

  /** See {@link StreamScanner.GrowingScan#claimed}. */
  long claimed() {
    return claimed + announced;
  }

  boolean knowsArguments() {
    return arguments != null;
  }

  /** Whether all arguments of the method have begun; false where the method is not known. */
  boolean hasAllArguments(int objects) {
    return arguments != null
        && objects >= arguments.objects()
        && primitiveBytes >= arguments.primitiveBytes();
  }

  /** Whether these arguments are more than the method has. */
  boolean hasMoreObjects(int objects) {
    return arguments != null && objects > arguments.objects();
  }

  /** A block of the message itself. */
  void countPrimitives(int bytes, int at) {
    primitiveBytes += bytes;
    if (arguments != null && primitiveBytes > arguments.primitiveBytes()) {
      findSurplus(at);
    }
  }

  void findSurplus(int at) {
    notes.find(Kind.SURPLUS_ARGUMENTS, "behind those of the method", at);
  }

  /**
   * An array of objects begins. Each takes a byte at least, and all of those are within what the
   * message may have beside its long values.
   */
  void claimElements(String array, int length, int most, int at) {
    claimedElements += length;
    if (bounded && claimedElements > most) {
      notes.find(Kind.CLAIMS_MORE_THAN_IS_KEPT, array, at);
    }
  }

  /**
   * A long string has begun, whose steps of hashing have been counted.
   *
   * @param its where its hash code is wanted, once all of it has come; else null
   */
  void beginText(int length, KeyChains.Table its, long steps) {
    textLeft = length;
    textLength = length;
    table = its;
    textHash = 0;
    textSteps = steps;
    stepsAhead = steps;
  }

  /** The next piece of it. */
  void textPart(byte[] buf, int at, int length) {
    textLeft -= length;
    stepsAhead = (long) ((double) textSteps * textLeft / textLength);
    if (table != null) {
      textHash = KeyChains.hash(textHash, buf, at, length);
      if (textLeft == 0) {
        notes.chains().add(table, textHash);
      }
    }
  }

  /** The steps of hashing that were counted for bytes which have not come yet. */
  long stepsAhead() {
    return stepsAhead;
  }
}

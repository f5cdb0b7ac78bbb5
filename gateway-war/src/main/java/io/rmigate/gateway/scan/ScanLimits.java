package io.rmigate.gateway.scan;

/**
 * The limits of one message. A message beyond a limit is a {@link Finding}, and the scan goes on to
 * the end; the parser's own limits, far above these, end it.
 *
 * @param depth objects within each other, annotations and nested streams included
 * @param objects objects, strings and class descriptors of one message
 * @param nestedStreams streams within each other, such as {@code MarshalledObject}s make
 * @param told the parts of a result
 * @param hashing the work of a receiver while it reads
 * @param goesOn whether findings of objects and hashing say each time that it is twice as much, so
 *     that a limit is found that is enough; of the others more would have to be kept for that
 */
public record ScanLimits(
    int depth, int objects, int nestedStreams, Told told, Hashing hashing, boolean goesOn) {

  /**
   * The limits of the parts of a result; further parts are not told.
   *
   * @param classes different classes
   * @param references live references
   * @param findings findings; one more says that there are more
   * @param proxyClasses different lists of interfaces of proxies
   */
  record Told(int classes, int references, int findings, int proxyClasses) {}

  /**
   * The limits of a receiver's work, beyond eight for each byte of the message.
   *
   * @param steps through objects that the receiver hashes, keeps in an order, or copies although
   *     others share them
   * @param comparisons of keys with each other
   */
  record Hashing(int steps, int comparisons) {}

  /** Comparisons of keys for each step that may be. */
  public static final int COMPARISONS_OF_A_STEP = 128;

  /** Classes and their ancestors are within each other, too, where they are first told. */
  private static final int FRAMES = 4096;

  private static final int FRAMES_OF_AN_OBJECT = 4;

  /** The number of references of a session that are not forgotten. */
  private static final int REFERENCES_OF_A_LONG_REPLY = 1 << 14;

  /** Limits above the messages of known applications, and far below harm to a receiver. */
  public static final ScanLimits DEFAULT =
      new ScanLimits(
          1000, 1 << 20, 3, new Told(1024, 1024, 1024, 256), new Hashing(1 << 18, 1 << 25), false);

  public int classes() {
    return told.classes();
  }

  public int references() {
    return told.references();
  }

  int findings() {
    return told.findings();
  }

  public int proxyClasses() {
    return told.proxyClasses();
  }

  public int hashingSteps() {
    return hashing.steps();
  }

  int comparisons() {
    return hashing.comparisons();
  }

  /** The limits of a Call that is judged as it comes, with any number of objects. */
  ScanLimits ofLongCalls() {
    return unlimited(references());
  }

  /** The limits of a long reply, which may be a list of stubs. */
  ScanLimits ofLongReplies() {
    return unlimited(Math.max(references(), REFERENCES_OF_A_LONG_REPLY));
  }

  private ScanLimits unlimited(int mostReferences) {
    Told its = new Told(classes(), mostReferences, findings(), proxyClasses());
    return new ScanLimits(depth, Integer.MAX_VALUE, nestedStreams, its, hashing, goesOn);
  }

  /** These limits, with the configured ones in their place. */
  public ScanLimits with(
      int mostDepth,
      int mostObjects,
      int mostClasses,
      int mostReferences,
      int mostProxyClasses,
      int mostHashingSteps,
      boolean goesBeyond) {
    int comparisons =
        (int) Math.min(Integer.MAX_VALUE, (long) COMPARISONS_OF_A_STEP * mostHashingSteps);
    return new ScanLimits(
        mostDepth,
        mostObjects,
        nestedStreams,
        new Told(mostClasses, mostReferences, findings(), mostProxyClasses),
        new Hashing(mostHashingSteps, comparisons),
        goesBeyond);
  }

  /** The number of frames that the parser may hold. */
  int frames() {
    return Math.max(FRAMES, FRAMES_OF_AN_OBJECT * depth);
  }
}

package io.rmigate.gateway.scan;

/**
 * What one message may hold. What goes beyond is a {@link Finding}, and the scan goes on to the
 * end; the parser's own limits, far above these, end it.
 *
 * @param depth objects within each other, annotations and nested streams included
 * @param objects objects, strings and class descriptors of one message
 * @param classes different classes; further ones are no longer told
 * @param references live references; further ones are no longer told
 * @param findings further ones are not kept, but that there are is one, too
 * @param nestedStreams streams within each other, such as {@code MarshalledObject}s make
 * @param hashingSteps steps that a receiver takes while it reads: through what it hashes, keeps in
 *     an order, or copies although others share it; beyond eight for each byte of the message
 * @param comparisons of keys with each other, beyond eight for each byte of the message
 * @param proxyClasses different lists of interfaces of proxies
 * @param goesOn whether findings of objects and hashing say each time that it is twice as much, so
 *     that a limit is found that is enough; of the others more would have to be kept for that
 */
public record ScanLimits(
    int depth,
    int objects,
    int classes,
    int references,
    int findings,
    int nestedStreams,
    int hashingSteps,
    int comparisons,
    int proxyClasses,
    boolean goesOn) {

  /** Different lists of interfaces of proxies, unless something else is said. */
  private static final int PROXY_CLASSES = 256;

  /** Comparisons of keys for each step that may be. */
  public static final int COMPARISONS_OF_A_STEP = 128;

  /** Classes and their ancestors are within each other, too, where they are first told. */
  private static final int FRAMES = 4096;

  private static final int FRAMES_OF_AN_OBJECT = 4;

  /** As many as a session is given that are not forgotten. */
  private static final int REFERENCES_OF_A_LONG_REPLY = 1 << 14;

  /** With as many proxies as shipped; what is beyond a limit is not told. */
  public ScanLimits(
      int depth,
      int objects,
      int classes,
      int references,
      int findings,
      int nestedStreams,
      int hashingSteps,
      int comparisons) {
    this(
        depth,
        objects,
        classes,
        references,
        findings,
        nestedStreams,
        hashingSteps,
        comparisons,
        PROXY_CLASSES,
        false);
  }

  /** Limits of a Call that has no end one would wait for: with as many objects as it likes. */
  ScanLimits ofLongCalls() {
    return unlimited(references);
  }

  /** Limits of a long reply: lists may be of stubs. */
  ScanLimits ofLongReplies() {
    return unlimited(Math.max(references, REFERENCES_OF_A_LONG_REPLY));
  }

  private ScanLimits unlimited(int mostReferences) {
    return new ScanLimits(
        depth,
        Integer.MAX_VALUE,
        classes,
        mostReferences,
        findings,
        nestedStreams,
        hashingSteps,
        comparisons,
        proxyClasses,
        goesOn);
  }

  /** Above what applications were seen to send, and far below what harms a receiver. */
  public static final ScanLimits DEFAULT =
      new ScanLimits(1000, 1 << 20, 1024, 1024, 1024, 3, 1 << 18, 1 << 25);

  /** These limits, with the configured ones in their place. */
  public ScanLimits with(
      int mostDepth,
      int mostObjects,
      int mostClasses,
      int mostReferences,
      int mostProxyClasses,
      int mostHashingSteps,
      boolean goesBeyond) {
    return new ScanLimits(
        mostDepth,
        mostObjects,
        mostClasses,
        mostReferences,
        findings,
        nestedStreams,
        mostHashingSteps,
        (int) Math.min(Integer.MAX_VALUE, (long) COMPARISONS_OF_A_STEP * mostHashingSteps),
        mostProxyClasses,
        goesBeyond);
  }

  /** The number of frames that the parser may hold. */
  int frames() {
    return Math.max(FRAMES, FRAMES_OF_AN_OBJECT * depth);
  }
}

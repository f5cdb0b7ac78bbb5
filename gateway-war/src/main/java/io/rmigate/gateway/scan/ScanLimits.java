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
 * @param hashingSteps hash codes that a receiver computes while it reads hashed containers, beyond
 *     eight for each byte of the message
 * @param comparisons of keys with each other, likewise
 */
public record ScanLimits(
    int depth,
    int objects,
    int classes,
    int references,
    int findings,
    int nestedStreams,
    int hashingSteps,
    int comparisons) {

  /** The same of a message that has no end one would wait for: with as many objects as it likes. */
  ScanLimits ofLongMessages() {
    return new ScanLimits(
        depth,
        Integer.MAX_VALUE,
        classes,
        references,
        findings,
        nestedStreams,
        hashingSteps,
        comparisons);
  }

  /** Above what applications were seen to send, and far below what harms a receiver. */
  public static final ScanLimits DEFAULT =
      new ScanLimits(200, 1 << 20, 1024, 1024, 1024, 3, 1 << 18, 1 << 25);
}

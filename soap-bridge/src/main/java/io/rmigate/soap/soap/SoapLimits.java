package io.rmigate.soap.soap;

/**
 * Bounds on what a client may send and on what is written.
 *
 * @param bodyBytes of a request with its attachments
 * @param depth elements in elements of a payload
 * @param elements of a payload
 * @param textChars of one text that is no binary
 * @param tagChars of one tag with its names, attributes and namespaces
 * @param attributes of one element
 * @param headerElements of all header blocks together, with all that is in them
 * @param headerChars of all texts in them
 * @param attachments of a request
 * @param resultDepth elements in elements of a result; also ends one that contains itself
 * @param heldBytes of an answer that are kept back until it is certain that it can be written
 */
public record SoapLimits(
    long bodyBytes,
    int depth,
    int elements,
    int textChars,
    int tagChars,
    int attributes,
    int headerElements,
    int headerChars,
    int attachments,
    int resultDepth,
    int heldBytes) {

  /**
   * 100 MiB; depth 50; a million elements; texts of 10 million characters, tags of 64 Ki with 64
   * attributes; headers of 200 elements and 64 Ki characters; 100 attachments.
   */
  public static final SoapLimits DEFAULT =
      new SoapLimits(
          100L << 20, 50, 1_000_000, 10_000_000, 64 << 10, 64, 200, 64 << 10, 100, 200, 32 << 10);

  /** These, but other bounds on size and depth, as a gateway is configured. */
  public SoapLimits with(long newBodyBytes, int newDepth, int newElements, int newTextChars) {
    return new SoapLimits(
        newBodyBytes,
        newDepth,
        newElements,
        newTextChars,
        tagChars,
        attributes,
        headerElements,
        headerChars,
        attachments,
        resultDepth,
        heldBytes);
  }
}

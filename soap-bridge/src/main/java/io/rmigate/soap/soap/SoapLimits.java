package io.rmigate.soap.soap;

/**
 * Bounds on what a client may send and on what is written.
 *
 * @param bodyBytes of a request with its attachments
 * @param attachments of a request
 */
public record SoapLimits(
    long bodyBytes, Payload payload, Tags tags, Headers headers, int attachments, Answers answers) {

  /**
   * Bounds of the payload of a request.
   *
   * @param depth elements in elements
   * @param textChars of one text that is no binary
   */
  public record Payload(int depth, int elements, int textChars) {}

  /**
   * Bounds of one tag.
   *
   * @param chars with its names, attributes and namespaces
   * @param attributes of one element
   */
  public record Tags(int chars, int attributes) {}

  /**
   * Bounds of all header blocks together.
   *
   * @param elements with all that is in them
   * @param chars of all texts in them
   */
  public record Headers(int elements, int chars) {}

  /**
   * Bounds of an answer.
   *
   * @param depth elements in elements of a result; also ends one that contains itself
   * @param heldBytes that are kept back until it is certain that the answer can be written
   */
  public record Answers(int depth, int heldBytes) {}

  /**
   * 100 MiB; depth 50; a million elements; texts of 10 million characters, tags of 64 Ki with 64
   * attributes; headers of 200 elements and 64 Ki characters; 100 attachments.
   */
  public static final SoapLimits DEFAULT =
      new SoapLimits(
          100L << 20,
          new Payload(50, 1_000_000, 10_000_000),
          new Tags(64 << 10, 64),
          new Headers(200, 64 << 10),
          100,
          new Answers(200, 32 << 10));

  /** These, but other bounds on size and depth, as a gateway is configured. */
  public SoapLimits with(long newBodyBytes, int newDepth, int newElements, int newTextChars) {
    return new SoapLimits(
        newBodyBytes,
        new Payload(newDepth, newElements, newTextChars),
        tags,
        headers,
        attachments,
        answers);
  }
}

package io.rmigate.soap.json;

/**
 * Bounds on what a client may send and on what is written.
 *
 * @param bodyBytes of a request
 * @param depth nested objects and arrays of a request
 * @param tokens names, values and brackets of a request
 * @param textChars of one string that is no binary
 * @param resultDepth nested objects and arrays of a result; also ends one that contains itself
 * @param heldBytes of a result that are kept back until it is certain that they can be written, so
 *     that a failure before has its own status
 */
public record JsonLimits(
    long bodyBytes, int depth, int tokens, int textChars, int resultDepth, int heldBytes) {

  /** 100 MiB, of which texts have 10 million characters; depth 50; a million tokens. */
  public static final JsonLimits DEFAULT =
      new JsonLimits(100L << 20, 50, 1_000_000, 10_000_000, 200, 32 << 10);
}

package io.rmigate.gateway.bridge.marshal;

/**
 * Bounds on one answer.
 *
 * @param bytes of the whole answer; what its arrays claim to have counts as if it had come
 * @param references objects, texts among them, and back references to them
 * @param depth of nested objects
 * @param stubs references to remote objects
 */
public record ReplyLimits(long bytes, long references, int depth, int stubs) {
  /** The limits that the gateway uses. */
  public static final ReplyLimits DEFAULTS = new ReplyLimits(64L << 20, 2_000_000, 40, 10_000);
}

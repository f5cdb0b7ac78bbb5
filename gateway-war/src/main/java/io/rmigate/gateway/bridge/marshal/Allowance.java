package io.rmigate.gateway.bridge.marshal;

/** Memory for answers. */
@FunctionalInterface
public interface Allowance {

  /**
   * Takes memory for more bytes.
   *
   * @return false if there is no room for them
   */
  boolean take(long bytes);
}

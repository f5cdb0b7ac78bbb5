package io.rmigate.gateway.bridge.marshal;

/** Room on the heap for answers. */
@FunctionalInterface
public interface Allowance {

  /**
   * Takes so many bytes more.
   *
   * @return false if there is no room for them
   */
  boolean take(long bytes);
}

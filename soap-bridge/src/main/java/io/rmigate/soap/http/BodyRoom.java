package io.rmigate.soap.http;

import java.io.IOException;

/** Room for what a body becomes in memory, beside the bytes that are read of it. */
@FunctionalInterface
public interface BodyRoom {

  /** Unlimited room. */
  BodyRoom UNLIMITED = bytes -> {};

  /**
   * Takes bytes until the end of the request.
   *
   * @throws IOException there are not enough bytes left
   */
  void take(long bytes) throws IOException;
}

package io.rmigate.soap.http;

import java.io.IOException;

/** Room for what a body becomes in memory, beside the bytes that are read of it. */
@FunctionalInterface
public interface BodyRoom {

  /** As much as anybody wants. */
  BodyRoom UNLIMITED = bytes -> {};

  /**
   * Takes so many bytes, for as long as the request lasts.
   *
   * @throws IOException there are no more
   */
  void take(long bytes) throws IOException;
}

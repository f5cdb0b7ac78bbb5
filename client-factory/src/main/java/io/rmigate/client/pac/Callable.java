package io.rmigate.client.pac;

import java.io.IOException;
import java.util.List;

/** A function. */
@FunctionalInterface
interface Callable {

  /**
   * Calls it.
   *
   * @param line of the call, for messages
   */
  Object call(Evaluation run, List<Object> arguments, int line) throws IOException;
}

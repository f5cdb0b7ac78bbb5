package io.rmigate.perf.amplification;

import java.io.Closeable;
import java.io.IOException;

/** A request that can be made again and again. */
interface Request extends Closeable {

  /** What people call it. */
  String name();

  /**
   * Makes it, sends it, has it taken, and waits for its end.
   *
   * @return its bytes, as they were sent
   */
  long once(Meter meter) throws IOException;
}

package io.rmigate.gateway.amplification;

import java.io.Closeable;
import java.io.IOException;

/** A request that can be repeated. */
interface Request extends Closeable {

  /** The name in the table. */
  String name();

  /**
   * Makes and sends the request, has the gateway take it, and waits for its end.
   *
   * @return the bytes that were sent
   */
  long once(Meter meter) throws IOException;
}

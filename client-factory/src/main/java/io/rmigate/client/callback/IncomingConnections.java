package io.rmigate.client.callback;

import java.io.IOException;
import java.net.Socket;

/** Takes connections for the RMI runtime of this JVM, which accepts them. Thread-safe. */
interface IncomingConnections {

  /** Adds a connection; false after {@link #close}. Never blocks. */
  boolean offer(Socket connection);

  /** Wakes the accepting thread, and closes the connections that still wait. Idempotent. */
  void close() throws IOException;
}

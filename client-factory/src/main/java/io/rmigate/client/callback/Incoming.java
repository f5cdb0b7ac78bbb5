package io.rmigate.client.callback;

import java.io.IOException;
import java.net.Socket;

/** Takes connections for the RMI runtime of this JVM, which accepts them. Thread-safe. */
interface Incoming {

  /** Adds a connection; false when nobody accepts any more. Never blocks. */
  boolean offer(Socket connection);

  /** Wakes the thread that accepts, and closes what nobody has accepted. Idempotent. */
  void close() throws IOException;
}

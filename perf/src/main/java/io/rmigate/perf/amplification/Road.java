package io.rmigate.perf.amplification;

import java.io.Closeable;
import java.io.IOException;

/** How frames get from a client to its session. */
interface Road extends Closeable {

  /** The client sends them; what it has sent before has been taken. */
  void send(byte[] bytes, int length) throws IOException;

  /** The gateway takes what has been sent. */
  void take() throws IOException;

  /** Whether the gateway can say nothing until the client sends something, be it nothing. */
  default boolean isDry() {
    return false;
  }

  /** Bytes that have been sent. */
  long sentBytes();
}

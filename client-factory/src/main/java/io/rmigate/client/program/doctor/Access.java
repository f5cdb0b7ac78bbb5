package io.rmigate.client.program.doctor;

import io.rmigate.protocol.jrmp.EndpointId;
import java.io.Closeable;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;

/** A way that leads somewhere. */
interface Access extends Closeable {

  /** A connection to an RMI server. */
  Socket open(EndpointId endpoint, Duration timeout) throws IOException;

  @Override
  default void close() {}
}

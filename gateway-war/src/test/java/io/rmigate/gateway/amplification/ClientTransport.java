package io.rmigate.gateway.amplification;

import java.io.Closeable;
import java.io.IOException;

/** The client's end of a link; the gateway's end is played by the same thread. */
interface ClientTransport extends Closeable {

  /** The client sends bytes. The gateway must have taken those of the call before. */
  void send(byte[] bytes, int length) throws IOException;

  /** The gateway takes the bytes that the client has sent. */
  void take() throws IOException;

  /**
   * Whether the gateway can send nothing until the client makes another request, even an empty one.
   */
  default boolean isDry() {
    return false;
  }

  /** All bytes that the client has sent. */
  long sentBytes();
}

package io.rmigate.protocol.tunnel;

import java.io.IOException;

/** Takes decoded frames, on the thread that fed the reader, in the order of the wire. */
@FunctionalInterface
public interface FrameSink {

  /**
   * Called for each complete frame.
   *
   * @throws IOException ends the reading; a {@link io.rmigate.protocol.ProtocolViolationException}
   *     says that this frame must not have come now
   */
  void onFrame(Frame frame) throws IOException;
}

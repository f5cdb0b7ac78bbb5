package io.rmigate.client.link;

import io.rmigate.client.transport.Transport;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.FrameReader;
import io.rmigate.protocol.tunnel.Goodbye;
import io.rmigate.protocol.tunnel.Welcome;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;

/** The answer to the hello of a session that is resumed: the welcome, and the bytes behind it. */
@SuppressWarnings("ArrayRecordComponent") // wire bytes: identity, not value
record HelloAnswer(Welcome welcome, byte[] rest) {

  /** The first frame of the gateway: a welcome or a goodbye. */
  private static final class First {
    private Welcome welcome;
    private Goodbye goodbye;
  }

  /**
   * Reads the gateway's answer to a hello.
   *
   * @throws NotResumedException the gateway does not resume the session
   * @throws IOException no answer has come, or the gateway has received no hello
   */
  static HelloAnswer await(Transport from) throws IOException {
    First first = new First();
    FrameReader reader =
        new FrameReader(
            frame -> {
              if (frame instanceof Welcome greeted) {
                first.welcome = greeted;
              } else if (frame instanceof Goodbye refused) {
                first.goodbye = refused;
              } else {
                throw new ProtocolViolationException("expected WELCOME first, got " + frame.type());
              }
            });
    byte[] buffer = new byte[4 * 1024];
    byte[] rest = buffer;
    while (first.welcome == null && first.goodbye == null) {
      int count = from.read(buffer, 0, buffer.length);
      if (count < 0) {
        throw new EOFException("the gateway closed the link");
      }
      int taken = 0;
      while (taken < count && first.welcome == null && first.goodbye == null) {
        reader.feed(buffer, taken++, 1); // what stands behind the frame is not ours
      }
      rest = Arrays.copyOfRange(buffer, taken, count);
    }
    if (first.goodbye != null) {
      String reason =
          first.goodbye.cause().sentence()
              + (first.goodbye.text().isEmpty() ? "" : " (" + first.goodbye.text() + ")");
      if (first.goodbye.cause() == CloseCause.HELLO_TIMEOUT) { // the session may well be there
        throw new IOException("the hello did not reach the rmigate gateway: " + reason);
      }
      throw new NotResumedException("the rmigate gateway does not resume the session: " + reason);
    }
    return new HelloAnswer(first.welcome, rest);
  }
}

package io.rmigate.client.transport.websocket;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;

/** Frames that come to a client's WebSocket. */
public final class WebSocketTarget {

  /** Reads the same whether all has come with the handshake or nothing. */
  public static void fuzzerTestOneInput(byte[] input) {
    if (input.length > WebSocketFrameReader.BUFFER_BYTES) {
      return; // so much does not come with a handshake
    }
    String early = read(ByteBuffer.wrap(input), InputStream.nullInputStream());
    String late = read(ByteBuffer.allocate(0), new ByteArrayInputStream(input));
    if (!early.equals(late)) {
      throw new IllegalStateException(early + " with the handshake, later " + late);
    }
  }

  private static String read(ByteBuffer early, InputStream in) {
    StringBuilder seen = new StringBuilder();
    WebSocketFrameReader reader = new WebSocketFrameReader(in, early, told(seen));
    byte[] one = new byte[1]; // of more, some are lost with the connection
    try {
      while (reader.read(one, 0, 1) > 0) {
        seen.append(HexFormat.of().formatHex(one));
      }
      return seen.append(" closed").toString();
    } catch (IOException violation) {
      return seen.append(" broken").toString();
    }
  }

  private static WebSocketFrameReader.ControlFrames told(StringBuilder seen) {
    return new WebSocketFrameReader.ControlFrames() {
      @Override
      public void onPing(byte[] payload) {
        seen.append(" ping ").append(Arrays.toString(payload));
      }

      @Override
      public void onClose(CloseReason reason) {
        if (reason.toString().chars().anyMatch(Character::isISOControl)) {
          throw new IllegalStateException("for people: " + reason);
        }
        seen.append(" close ").append(reason);
      }
    };
  }

  private WebSocketTarget() {}
}

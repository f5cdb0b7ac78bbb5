package io.rmigate.client.transport.websocket;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/** Frames as a server writes them; written apart from the codec under test. */
final class ServerFrames {
  private ServerFrames() {}

  static byte[] binary(byte[] payload) {
    return frame(0x82, payload, 0, payload.length);
  }

  /** One message in frames of about the same size. */
  static byte[] fragmented(byte[] payload, int frames) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int done = 0;
    for (int i = 0; i < frames; i++) {
      int end = i == frames - 1 ? payload.length : payload.length * (i + 1) / frames;
      int b0 = (i == 0 ? 0x02 : 0x00) | (i == frames - 1 ? 0x80 : 0x00);
      out.writeBytes(frame(b0, payload, done, end - done));
      done = end;
    }
    return out.toByteArray();
  }

  static byte[] frame(int b0, byte[] payload, int offset, int length) {
    ByteBuffer frame = ByteBuffer.allocate(10 + length);
    frame.put((byte) b0);
    if (length < 126) {
      frame.put((byte) length);
    } else if (length < 65536) {
      frame.put((byte) 126).putShort((short) length);
    } else {
      frame.put((byte) 127).putLong(length);
    }
    frame.put(payload, offset, length);
    byte[] bytes = new byte[frame.position()];
    frame.flip().get(bytes);
    return bytes;
  }
}

package io.rmigate.perf.dictionary;

import io.rmigate.protocol.tunnel.FrameOutput;
import io.rmigate.protocol.tunnel.Open;
import io.rmigate.protocol.tunnel.Tunnel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Messages as they cross a link: in frames, the first of a connection behind its OPEN. */
final class LinkBytes {
  private static final Duration HANDSHAKE = Duration.ofSeconds(60); // RMI's own default

  private LinkBytes() {}

  /** One batch for each message, in their order. */
  static List<byte[]> of(Recording recording) {
    List<byte[]> batches = new ArrayList<>();
    List<Integer> opened = new ArrayList<>();
    for (Message message : recording.messages()) {
      int stream = 2 * message.connection() + 1;
      FrameOutput out = new FrameOutput(256);
      if (message.request() && !opened.contains(stream)) {
        opened.add(stream);
        out.append(new Open(stream, "host.example", 1099, Duration.ZERO, HANDSHAKE));
      }
      byte[] bytes = message.bytes();
      int from = 0;
      do {
        int length = Math.min(bytes.length - from, Tunnel.MAX_BODY_BYTES);
        boolean last = from + length == bytes.length;
        out.data(stream, message.request() && last, bytes, from, length);
        from += length;
      } while (from < bytes.length);
      batches.add(out.toByteArray());
    }
    return batches;
  }
}

package io.rmigate.fuzz;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.coding.CodedReader;
import io.rmigate.protocol.coding.ContentCoding;
import io.rmigate.protocol.tunnel.FrameLog;
import io.rmigate.protocol.tunnel.Tunnel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Frames of a link on which a coding is agreed, at once and byte by byte. */
public final class CodedTarget {
  /** The number of bytes that may exist before a bound is checked. */
  private static final int MAX_TOO_MANY_BYTES = 8 * 1024;

  /** Sees the same frames both times, and lets nothing swell more than is allowed. */
  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    List<String> whole = read(input, Math.max(1, input.length));
    List<String> pieces = read(input, 1);
    if (!whole.equals(pieces)) {
      throw new IllegalStateException(whole + " at once, in pieces " + pieces);
    }
  }

  private static List<String> read(byte[] input, int piece) throws IOException {
    List<String> lines = new ArrayList<>();
    try (CodedReader reader = new CodedReader(frame -> lines.add(FrameLog.line(false, frame)))) {
      reader.begin(ContentCoding.DEFLATE_1);
      try {
        for (int at = 0; at < input.length; at += piece) {
          reader.feed(input, at, Math.min(piece, input.length - at));
        }
      } catch (ProtocolViolationException violation) {
        lines.add("violation");
      }
      long yielded = reader.figures().uncodedBytes();
      long allowed = Tunnel.FREE_UNCODED_BYTES + Tunnel.MAX_EXPANSION * (long) input.length;
      if (yielded > allowed + MAX_TOO_MANY_BYTES) {
        throw new IllegalStateException(input.length + " bytes have become " + yielded);
      }
    }
    return lines;
  }

  private CodedTarget() {}
}

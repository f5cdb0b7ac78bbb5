package io.rmigate.fuzz;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.tunnel.FrameLog;
import io.rmigate.protocol.tunnel.FrameReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Frames of the link, at once and byte by byte. */
public final class FramesTarget {

  /** Sees the same frames both times, and no line break in what is logged of one. */
  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    List<String> whole = read(input, Math.max(1, input.length));
    List<String> pieces = read(input, 1);
    if (!whole.equals(pieces)) {
      throw new IllegalStateException(whole + " at once, in pieces " + pieces);
    }
    for (String line : whole) {
      if (line.chars().anyMatch(Character::isISOControl)) {
        throw new IllegalStateException("in the log: " + line);
      }
    }
  }

  private static List<String> read(byte[] input, int piece) throws IOException {
    List<String> lines = new ArrayList<>();
    FrameReader reader = new FrameReader(frame -> lines.add(FrameLog.line(false, frame)));
    try {
      for (int at = 0; at < input.length; at += piece) {
        reader.feed(input, at, Math.min(piece, input.length - at));
      }
    } catch (ProtocolViolationException violation) {
      lines.add("violation");
    }
    return lines;
  }

  private FramesTarget() {}
}

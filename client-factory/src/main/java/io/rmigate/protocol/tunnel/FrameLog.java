package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.LogText;

/**
 * One line per frame, for debugging the link by reading it.
 *
 * <pre>
 *   » #5   OPEN          inside.example:1099
 *   » #5   DATA_LAST     41 bytes
 *   « #5   DATA          22 bytes
 *   « #-   HEARTBEAT_ACK 7
 * </pre>
 *
 * {@code »} leaves, {@code «} comes; then the stream ({@code -} for the session), the type and what
 * matters of the body. Payload bytes, tokens and property values never show.
 */
public final class FrameLog {

  /** The line for {@code frame}; {@code outbound} as seen by the side that logs. */
  public static String line(boolean outbound, Frame frame) {
    String stream = frame.stream() == Tunnel.SESSION ? "-" : Integer.toString(frame.stream());
    return "%s #%-4s%-14s%s"
        .formatted(outbound ? "»" : "«", stream, frame.type(), LogText.of(frame.detail()))
        .stripTrailing();
  }

  private FrameLog() {}
}

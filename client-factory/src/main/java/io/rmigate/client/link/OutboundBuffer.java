package io.rmigate.client.link;

import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.FrameLog;
import io.rmigate.protocol.tunnel.FrameOutput;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The frames of a link that wait to be written as the next unit. Guarded by the lock of {@link
 * LinkOutbound}.
 */
final class OutboundBuffer {
  /**
   * Limit of waiting answers to the gateway. They are few, unless the gateway asks for them without
   * reading them.
   */
  private static final int ANSWERS_LIMIT_BYTES = 1024 * 1024;

  private final System.Logger frames;
  private FrameOutput filling = new FrameOutput(4 * 1024);
  private FrameOutput leaving = new FrameOutput(4 * 1024);

  /** The number of the unit that {@code filling} is going to be, from 1. */
  private long unit = 1;

  /** The waiting requests with a deadline, in no order. */
  private final Set<QueuedRequest> takeable = new LinkedHashSet<>();

  /** Waiting bytes that the gateway has asked for. */
  private int answerBytes;

  /**
   * @param frames where each frame is logged
   */
  OutboundBuffer(System.Logger frames) {
    this.frames = frames;
  }

  /** Bytes that wait. */
  int size() {
    return filling.size();
  }

  /** The number of the unit with which the waiting frames leave. */
  long unit() {
    return unit;
  }

  void append(Frame frame) {
    filling.append(frame);
    if (frames.isLoggable(System.Logger.Level.TRACE)) {
      frames.log(System.Logger.Level.TRACE, FrameLog.line(true, frame));
    }
  }

  void appendData(int stream, boolean last, byte[] bytes, int offset, int length) {
    filling.data(stream, last, bytes, offset, length);
    if (frames.isLoggable(System.Logger.Level.TRACE)) {
      frames.log(
          System.Logger.Level.TRACE,
          "» #{0} {1} {2} bytes",
          stream,
          last ? "DATA_LAST" : "DATA",
          length);
    }
  }

  /** Appends a frame that the gateway has asked for. */
  void appendAnswer(Frame frame) {
    int before = filling.size();
    append(frame);
    answerBytes += filling.size() - before;
  }

  /** Whether the limit of waiting answers is passed. */
  boolean isFullOfAnswers() {
    return answerBytes > ANSWERS_LIMIT_BYTES;
  }

  /**
   * The bytes from {@code begin} on can be taken back until they are written.
   *
   * @param opensStream whether the frame that opens the stream is among them
   */
  void keepTakeable(QueuedRequest request, int begin, boolean opensStream) {
    request.added(begin, filling.size(), opensStream);
    takeable.add(request);
  }

  /** Removes the waiting bytes of a request. */
  void takeBack(QueuedRequest request) {
    takeable.remove(request);
    request.takeBack(filling, takeable);
  }

  /**
   * The waiting frames are written now, and can no longer be taken back.
   *
   * @return their bytes; to be cleared before the next unit begins
   */
  FrameOutput begin(long nowNanos) {
    FrameOutput batch = filling;
    filling = leaving;
    leaving = batch;
    unit++;
    answerBytes = 0;
    if (!takeable.isEmpty()) {
      takeable.forEach(request -> request.begin(nowNanos));
      takeable.clear();
    }
    return batch;
  }
}

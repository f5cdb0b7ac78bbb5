package io.rmigate.protocol.coding;

import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.FrameOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** One direction of a link: a real writer, and a real reader that gets what it has written. */
final class CodedLine implements AutoCloseable {
  final CodedWriter writer = new CodedWriter(ContentCoding.DEFLATE_1);
  final List<Frame> received = new ArrayList<>();
  final CodedReader reader = new CodedReader(received::add);

  /** The bytes that passed with the last batch. */
  long lastBytes;

  long allBytes;
  long nowNanos;

  /** How many bytes the reader gets at once. */
  int pieceBytes = Integer.MAX_VALUE;

  CodedLine() {
    reader.begin(ContentCoding.DEFLATE_1);
    writer.turn(true);
  }

  /** Sends a batch, and returns what it was on the wire. */
  byte[] send(Frame... frames) throws IOException {
    FrameOutput batch = new FrameOutput(64);
    for (Frame frame : frames) {
      batch.append(frame);
    }
    byte[] wire = writer.code(batch, nowNanos).toByteArray();
    lastBytes = wire.length;
    allBytes += wire.length;
    for (int from = 0; from < wire.length; from += Math.min(pieceBytes, wire.length - from)) {
      reader.feed(wire, from, Math.min(pieceBytes, wire.length - from));
    }
    return wire;
  }

  /** All data that have come, in one piece. */
  byte[] receivedData() {
    FrameOutput all = new FrameOutput(64);
    for (Frame frame : received) {
      all.append(frame);
    }
    return all.toByteArray();
  }

  static Data data(byte[] bytes) {
    return new Data(1, false, bytes);
  }

  @Override
  public void close() {
    writer.close();
    reader.close();
  }
}

package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.ProtocolViolationException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Cuts the byte stream of a transport into frames. Bytes may come in pieces of any size; what does
 * not yet make a frame is kept, at most one frame's worth. Confined to the thread that reads the
 * transport; several threads may take turns if their hand-over orders memory.
 */
public final class FrameReader {
  private static final int INCOMPLETE = -1;
  private static final int SCRATCH_BYTES = 8 * 1024;

  private final FrameSink sink;

  /** Header of the frame that has begun, as far as it has come. */
  private final byte[] header = new byte[Tunnel.MAX_HEADER_BYTES];

  private int headerBytes;

  /** Body behind a complete header; null before that and for a frame without a body. */
  private byte[] body;

  private int heldBytes;

  /** Buffer for input that has no array; made when the first such input comes. */
  private byte[] scratch;

  // The header found last by readHeader.
  private FrameType type;
  private int stream;
  private int bodyBytes;

  /** A reader that hands every frame to {@code sink}. */
  public FrameReader(FrameSink sink) {
    this.sink = sink;
  }

  /** Whether the bytes so far end between two frames. */
  public boolean atFrameBoundary() {
    return headerBytes == 0;
  }

  /** Takes all remaining bytes of {@code in}. */
  public void feed(ByteBuffer in) throws IOException {
    if (in.hasArray()) {
      int from = in.arrayOffset() + in.position();
      int length = in.remaining();
      in.position(in.limit());
      feed(in.array(), from, length);
    } else {
      while (in.hasRemaining()) {
        int length = Math.min(in.remaining(), SCRATCH_BYTES);
        if (scratch == null) {
          scratch = new byte[SCRATCH_BYTES];
        }
        in.get(scratch, 0, length);
        feed(scratch, 0, length);
      }
    }
  }

  /**
   * Takes {@code length} bytes.
   *
   * @throws ProtocolViolationException they are no frames; the reader must not be used again
   * @throws IOException from the sink; the reader must not be used again
   */
  public void feed(byte[] in, int offset, int length) throws IOException {
    int position = offset;
    int end = offset + length;
    while (position < end) {
      if (headerBytes == 0) {
        int bodyAt = readHeader(in, position, end);
        if (bodyAt != INCOMPLETE && end - bodyAt >= bodyBytes) {
          position = bodyAt + bodyBytes;
          deliver(new FrameInput(in, bodyAt, position));
          continue;
        }
      }
      position = hold(in, position, end);
    }
  }

  /** Adds to the held frame no more than belongs to it, and delivers it once it is whole. */
  private int hold(byte[] in, int position, int end) throws IOException {
    int next = position;
    while (readHeader(header, 0, headerBytes) == INCOMPLETE) {
      if (next == end) {
        return next;
      }
      header[headerBytes++] = in[next++];
    }
    int more = Math.min(bodyBytes - heldBytes, end - next);
    if (more > 0) {
      makeRoom(heldBytes + more);
      System.arraycopy(in, next, body, heldBytes, more);
      heldBytes += more;
      next += more;
    }
    if (heldBytes == bodyBytes) {
      FrameInput whole = body == null ? new FrameInput(header, 0, 0) : FrameInput.of(body);
      headerBytes = 0;
      heldBytes = 0;
      body = null; // the frame's, and idle sessions are many
      deliver(whole);
    }
    return next;
  }

  /** Enlarges the body, to at most four times the bytes that have come. */
  private void makeRoom(int bytes) {
    if (body == null || body.length < bytes) {
      int sooner = body == null ? 0 : 2 * body.length;
      int size = bytes >= bodyBytes / 4 ? bodyBytes : Math.max(bytes, sooner);
      byte[] larger = new byte[size];
      if (body != null) {
        System.arraycopy(body, 0, larger, 0, heldBytes);
      }
      body = larger;
    }
  }

  /**
   * Reads {@code type stream length}, checking each as soon as it is there, so that a bad header is
   * refused before its body arrives.
   *
   * @return where the body begins, or {@link #INCOMPLETE}
   */
  private int readHeader(byte[] in, int from, int end) throws ProtocolViolationException {
    if (from == end) {
      return INCOMPLETE;
    }
    type = FrameType.of(in[from]);
    int position = from + 1;
    int streamAt = position;
    stream = 0;
    for (int shift = 0; ; shift += 7) {
      if (position == end) {
        return INCOMPLETE;
      }
      int next = in[position++] & 0xFF;
      stream |= (next & 0x7F) << shift;
      if (next < 0x80) {
        checkVarint(next, position - streamAt, "stream");
        break;
      }
      if (shift == 21) {
        throw new ProtocolViolationException(
            "expected a stream of at most 0x%x, got a longer number".formatted(Tunnel.MAX_STREAM));
      }
    }
    if ((type.scope() == FrameType.Scope.SESSION) != (stream == Tunnel.SESSION)) {
      throw new ProtocolViolationException(
          type.scope() == FrameType.Scope.SESSION
              ? "expected " + type + " on stream 0, got stream 0x" + Integer.toHexString(stream)
              : "expected " + type + " on a stream, got stream 0");
    }
    int lengthAt = position;
    bodyBytes = 0;
    for (int shift = 0; ; shift += 7) {
      if (position == end) {
        return INCOMPLETE;
      }
      int next = in[position++] & 0xFF;
      bodyBytes |= (next & 0x7F) << shift;
      if (next < 0x80) {
        checkVarint(next, position - lengthAt, "length");
        break;
      }
      if (shift == 14) {
        bodyBytes = Integer.MAX_VALUE;
        break;
      }
    }
    if (bodyBytes > Tunnel.MAX_BODY_BYTES) {
      throw new ProtocolViolationException(
          "expected a body of at most 0x%x bytes, got a longer one"
              .formatted(Tunnel.MAX_BODY_BYTES));
    }
    return position;
  }

  private static void checkVarint(int last, int length, String what)
      throws ProtocolViolationException {
    if (last == 0 && length > 1) {
      throw new ProtocolViolationException(
          "expected a " + what + " without superfluous bytes, got " + length);
    }
  }

  private void deliver(FrameInput in) throws IOException {
    Frame frame = type.decode(stream, in);
    in.expectEnd(type);
    sink.onFrame(frame);
  }
}

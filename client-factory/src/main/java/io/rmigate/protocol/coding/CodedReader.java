package io.rmigate.protocol.coding;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.tunnel.Coded;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.FrameReader;
import io.rmigate.protocol.tunnel.FrameSink;
import io.rmigate.protocol.tunnel.Hello;
import io.rmigate.protocol.tunnel.Tunnel;
import io.rmigate.protocol.tunnel.Welcome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A {@link FrameReader} that undoes codings: the session sees the frames inside, in their order.
 * What cannot be undone, and what yields more than {@linkplain Expansion allowed}, is a violation,
 * found before more than {@link #PIECE_BYTES} too many exist.
 *
 * <p>Threads: confined to the one that reads the transport; {@link #close} and the figures from
 * any. Lock: {@code lock} guards the context against {@link #close}; frames are handed out without
 * it.
 */
public final class CodedReader implements AutoCloseable {
  private static final int PIECE_BYTES = 8 * 1024;

  private final FrameSink frames;
  private final FrameReader outer =
      new FrameReader(
          new FrameSink() {
            @Override
            public void onFrame(Frame frame) throws IOException {
              onOuterFrame(frame);
            }
          });
  private final FrameReader inner =
      new FrameReader(
          new FrameSink() {
            @Override
            public void onFrame(Frame frame) throws IOException {
              onInnerFrame(frame);
            }
          });
  private final AtomicLong uncodedBytes = new AtomicLong();
  private final AtomicLong codedBytes = new AtomicLong();
  private ContentCoding coding = ContentCoding.IDENTITY;
  private long receivedBytes;
  private long contexts;

  private final ReentrantLock lock = new ReentrantLock();

  /** Null while there is no context. */
  private Decoder decoder;

  private boolean closed;

  /** Confined to the reading thread; there while there is a context. */
  private byte[] piece;

  /** A reader that hands every frame to {@code frames} and knows no coding yet. */
  public CodedReader(FrameSink frames) {
    this.frames = frames;
  }

  /** Frames may come in this coding from here on. */
  public void begin(ContentCoding picked) {
    coding = picked;
  }

  /** Takes all remaining bytes; see {@link FrameReader#feed(ByteBuffer)}. */
  public void feed(ByteBuffer in) throws IOException {
    receivedBytes += in.remaining();
    outer.feed(in);
  }

  /** Takes {@code length} bytes; see {@link FrameReader#feed(byte[], int, int)}. */
  public void feed(byte[] in, int offset, int length) throws IOException {
    receivedBytes += length;
    outer.feed(in, offset, length);
  }

  /** Whether the bytes so far end between two frames of the link. */
  public boolean atFrameBoundary() {
    return outer.atFrameBoundary();
  }

  /** Figures of the bytes decoded so far. */
  public CodingFigures figures() {
    return new CodingFigures(uncodedBytes.get(), codedBytes.get());
  }

  /** How many coded bytes have been undone so far. */
  public long codedBytes() {
    return codedBytes.get();
  }

  /** How many times a context was begun, or begun anew. By the reading thread. */
  public long contexts() {
    return contexts;
  }

  private void onOuterFrame(Frame frame) throws IOException {
    if (frame instanceof Coded coded) {
      undo(coded);
    } else if (inner.atFrameBoundary()) {
      frames.onFrame(frame);
    } else {
      throw new ProtocolViolationException(
          "expected the rest of a frame in CODED, got " + frame.type());
    }
  }

  private void onInnerFrame(Frame frame) throws IOException {
    if (frame instanceof Coded || frame instanceof Hello || frame instanceof Welcome) {
      throw new ProtocolViolationException("expected no " + frame.type() + " inside of CODED");
    }
    frames.onFrame(frame);
  }

  private void undo(Coded coded) throws IOException {
    if (coding.isIdentity()) {
      throw new ProtocolViolationException("expected no " + coded.type() + " without a coding");
    }
    if (coded.fresh() && !inner.atFrameBoundary()) {
      throw new ProtocolViolationException("expected the rest of a frame, got CODED_FRESH");
    }
    if (coded.body().length == 0) {
      if (!coded.fresh()) {
        throw new ProtocolViolationException("expected a body of CODED, got none");
      }
      giveUp();
    } else if (begin(coded)) {
      codedBytes.addAndGet(coded.encodedBytes());
      int yielded = 0;
      for (int count = read(); count > 0; count = read()) {
        yielded += count;
        checkBounds(yielded, uncodedBytes.addAndGet(count));
        inner.feed(piece, 0, count);
      }
    }
  }

  /** Whether there is something to be read; not so once closed. */
  private boolean begin(Coded coded) throws ProtocolViolationException {
    if (coded.fresh()) {
      contexts++;
    }
    lock.lock();
    try {
      if (closed) {
        return false;
      }
      if (decoder == null) {
        if (!coded.fresh()) {
          throw new ProtocolViolationException("expected CODED_FRESH first, got CODED");
        }
        decoder = coding.decoder();
        piece = piece == null ? new byte[PIECE_BYTES] : piece;
      } else if (coded.fresh()) {
        decoder.restart();
      }
      decoder.begin(coded.body());
      return true;
    } finally {
      lock.unlock();
    }
  }

  private int read() throws ProtocolViolationException {
    lock.lock();
    try {
      return closed ? 0 : decoder.read(piece);
    } finally {
      lock.unlock();
    }
  }

  private void checkBounds(int ofThisFrame, long ofAll) throws ProtocolViolationException {
    if (ofThisFrame > Tunnel.MAX_UNCODED_BYTES) {
      throw new ProtocolViolationException(
          "expected CODED to yield at most 0x%x bytes, got more"
              .formatted(Tunnel.MAX_UNCODED_BYTES));
    }
    if (!Expansion.allows(ofAll, receivedBytes)) {
      throw new ProtocolViolationException(
          "expected coded frames to yield at most 0x%x times the 0x%x bytes received, got 0x%x"
              .formatted(Tunnel.MAX_EXPANSION, receivedBytes, ofAll));
    }
  }

  private void giveUp() {
    closeDecoder(false);
    piece = null;
  }

  private void closeDecoder(boolean forEver) {
    lock.lock();
    try {
      closed |= forEver;
      if (decoder != null) {
        decoder.close();
        decoder = null;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Gives the context's memory back; coded frames are ignored from here on. */
  @Override
  public void close() {
    closeDecoder(true);
  }
}

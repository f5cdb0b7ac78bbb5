package io.rmigate.protocol.coding;

import io.rmigate.protocol.tunnel.FrameOutput;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes of each batch of frames what is sent instead of it: coded frames, or the batch itself when
 * coding is off, when it is too short to get shorter, when such data has not shrunk lately ({@link
 * CompressibilityCheck}) or when it would shrink more than a receiver may believe ({@link
 * Expansion}).
 *
 * <p>The context holds native memory. It is made with the first batch that is coded and given back
 * by {@link #releaseIfIdle}.
 *
 * <p>Threads: confined to the thread that writes to the transport, one at a time; other threads
 * call {@link #releaseIfIdle} and {@link #close} only while none writes; {@link #turn} and the
 * figures from any.
 */
public final class CodedWriter implements AutoCloseable {
  /** Shorter batches, heartbeats and credit among them, would not get shorter. */
  static final int MIN_BYTES = 24;

  /** A context unused for so long is given back. */
  static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** Most bytes of a batch that is copied in order to send the end of a context with it. */
  private static final int MAX_COPIED_BYTES = 1024;

  private static final byte[] NO_BODY = new byte[0];

  private final ContentCoding coding;
  private final CompressibilityCheck watch = new CompressibilityCheck();
  private final AtomicLong uncodedBytes = new AtomicLong();
  private final AtomicLong codedBytes = new AtomicLong();
  private volatile boolean on;

  /** Null while there is no context. */
  private Encoder encoder;

  private FrameOutput coded = new FrameOutput(0);
  private byte[] body = NO_BODY;
  private boolean fresh;
  private boolean givenUpUnsaid;
  private long lastCodedNanos;

  /** Bytes that have passed here; earlier bytes do not count, to be on the safe side. */
  private long sentBytes;

  /** A writer that codes nothing until it is {@linkplain #turn turned on}. */
  public CodedWriter(ContentCoding coding) {
    if (coding.isIdentity()) {
      throw new IllegalArgumentException("nothing to do for identity");
    }
    this.coding = coding;
  }

  /** Turns coding on or off, from the next batch. */
  public void turn(boolean codingOn) {
    on = codingOn;
  }

  /** Whether batches are coded. */
  public boolean isOn() {
    return on;
  }

  /** Figures of the bytes coded so far. */
  public CodingFigures figures() {
    return new CodingFigures(uncodedBytes.get(), codedBytes.get());
  }

  /**
   * What to send instead of {@code batch}, which consists of whole frames.
   *
   * @param nowNanos on the clock of {@link System#nanoTime}
   * @return {@code batch} itself, or a buffer that is valid until the next call
   */
  public FrameOutput code(FrameOutput batch, long nowNanos) {
    FrameOutput leaving = batch;
    if (on && isWorthCoding(batch.size())) {
      lastCodedNanos = nowNanos;
      leaving = coded(batch);
    } else if (givenUpUnsaid && batch.size() <= MAX_COPIED_BYTES) {
      coded.clear();
      coded.coded(true, NO_BODY, 0, 0);
      coded.append(batch);
      givenUpUnsaid = false;
      leaving = coded;
    }
    sentBytes += leaving.size();
    return leaving;
  }

  private boolean isWorthCoding(int batchBytes) {
    return batchBytes >= MIN_BYTES
        && Expansion.allows(uncodedBytes.get() + batchBytes, sentBytes)
        && watch.admits(batchBytes);
  }

  private FrameOutput coded(FrameOutput batch) {
    if (encoder == null) {
      encoder = coding.encoder();
      fresh = true;
      givenUpUnsaid = false;
    }
    coded.clear();
    int size = batch.size();
    for (int from = 0; from < size; from += encoder.maxInputBytes()) {
      int length = Math.min(size - from, encoder.maxInputBytes());
      int needed = encoder.maxCodedBytes(length);
      if (body.length < needed) {
        body = new byte[needed];
      }
      int bodyBytes = encoder.encode(batch.array(), from, length, body);
      coded.coded(fresh, body, 0, bodyBytes);
      fresh = false;
    }
    uncodedBytes.addAndGet(size);
    codedBytes.addAndGet(coded.size());
    if (watch.onCoded(size, coded.size())) {
      encoder.restart(); // the window holds nothing but what did not shrink
      fresh = true;
    }
    return coded;
  }

  /** Gives the context's memory back when it has not been used for a while. */
  public void releaseIfIdle(long nowNanos) {
    if (encoder != null && (!on || nowNanos - lastCodedNanos > IDLE_NANOS)) {
      close();
      givenUpUnsaid = true;
    }
  }

  /** Gives the context's memory back. */
  @Override
  public void close() {
    if (encoder != null) {
      encoder.close();
      encoder = null;
      coded = new FrameOutput(0);
      body = NO_BODY;
    }
  }
}

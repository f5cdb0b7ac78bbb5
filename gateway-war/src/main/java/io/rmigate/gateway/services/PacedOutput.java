package io.rmigate.gateway.services;

import java.io.IOException;
import java.io.OutputStream;
import java.util.function.LongSupplier;

/**
 * An answer whose reader must not be too slow. Only the time in which the container takes bytes
 * counts, not that in which there are none. It is looked at behind each piece: what a container
 * waits for a piece is its own affair, and bounded there. Of the request's thread.
 */
final class PacedOutput extends OutputStream {
  private static final int PIECE = 8 << 10;

  private final OutputStream response;
  private final Pace pace;
  private final LongSupplier ticker;
  private long written;
  private long waitedNanos;

  /** Its reader is too slow. */
  static final class TooSlow extends IOException {
    private static final long serialVersionUID = 1L;

    TooSlow() {
      super("the client takes its answer too slowly");
    }
  }

  PacedOutput(OutputStream response, Pace pace, LongSupplier ticker) {
    this.response = response;
    this.pace = pace;
    this.ticker = ticker;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int count) throws IOException {
    int end = offset + count;
    for (int at = offset; at < end; at += PIECE) {
      int length = Math.min(PIECE, end - at);
      long before = ticker.getAsLong();
      response.write(bytes, at, length);
      took(ticker.getAsLong() - before, length);
    }
  }

  @Override
  public void flush() throws IOException {
    long before = ticker.getAsLong();
    response.flush();
    took(ticker.getAsLong() - before, 0);
  }

  private void took(long nanos, int bytes) throws TooSlow {
    written += bytes;
    waitedNanos += nanos;
    if (waitedNanos > pace.nanosFor(written)) {
      throw new TooSlow();
    }
  }
}

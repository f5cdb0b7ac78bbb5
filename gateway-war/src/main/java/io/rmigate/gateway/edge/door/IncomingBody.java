package io.rmigate.gateway.edge.door;

import io.rmigate.gateway.stream.HeldPieces;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntPredicate;

/**
 * The body of a request, read as it comes, without a thread: up to what a request may have, and as
 * fast as one must be. Callbacks of the container come one at a time; it is ended by them, by
 * {@link #tick} or by {@link #end}, once.
 */
public final class IncomingBody implements ReadListener {
  private static final int FIRST_BYTES = 8 * 1024;

  /** Reasons why there is no body. */
  public enum Failure {
    /** The framing of the body is broken, or the client has gone. */
    MALFORMED,
    TOO_SLOW,
    TOO_LARGE,
    /** There is no room for the body. */
    FULL
  }

  /** Hears what has become of it, once. */
  public interface Listener {

    /** The body is complete. */
    void onBody(HeldPieces body);

    /** The body will never be complete. */
    void onFailure(Failure failure);
  }

  /**
   * How large and how slow.
   *
   * @param bytes at most
   * @param patience however small it is
   * @param bytesPerSecond for each of which that came there is a second more
   */
  public record Bounds(int bytes, Duration patience, int bytesPerSecond) {
    boolean isLate(long elapsedNanos, int length) {
      return elapsedNanos > patience.toNanos() + TimeUnit.SECONDS.toNanos(length) / bytesPerSecond;
    }
  }

  private final ServletInputStream in;
  private final Bounds bounds;
  private final IntPredicate room;
  private final Listener listener;
  private final AtomicBoolean over = new AtomicBoolean();

  /** Pieces of the body before {@code piece}; null when the body is over. */
  private HeldPieces came = new HeldPieces();

  /** The piece that is being filled. */
  private byte[] piece = new byte[FIRST_BYTES];

  private int ofPiece;
  private volatile int length;

  /**
   * @param room asked for each piece before it is kept; what it grants it takes back by itself
   */
  public IncomingBody(ServletInputStream in, Bounds bounds, IntPredicate room, Listener listener) {
    this.in = in;
    this.bounds = bounds;
    this.room = room;
    this.listener = listener;
  }

  /** Reads from here on; by the thread that has the request. */
  public void begin() {
    in.setReadListener(this);
  }

  @Override
  public void onDataAvailable() throws IOException {
    while (!over.get() && in.isReady() && !in.isFinished()) {
      if (ofPiece == piece.length) {
        beginPiece();
      }
      int count = in.read(piece, ofPiece, piece.length - ofPiece);
      if (count < 0) {
        return; // onAllDataRead comes
      }
      ofPiece += count;
      if (!room.test(count)) {
        end(Failure.FULL);
        return;
      }
      int sum = length + count;
      length = sum;
      if (sum > bounds.bytes()) {
        end(Failure.TOO_LARGE);
        return;
      }
    }
  }

  /** Memory in advance is at most a quarter of the bytes that have come, for any claimed length. */
  private void beginPiece() {
    came.add(piece, ofPiece);
    int room = bounds.bytes() + 1 - length;
    piece = new byte[Math.min(room, Math.max(FIRST_BYTES, length / 4))];
    ofPiece = 0;
  }

  @Override
  public void onAllDataRead() {
    if (over.compareAndSet(false, true)) {
      came.add(piece, ofPiece);
      HeldPieces body = came;
      came = null; // what is made of it may last longer
      piece = null;
      listener.onBody(body);
    }
  }

  @Override
  public void onError(Throwable failure) {
    end(isTimeout(failure) ? Failure.TOO_SLOW : Failure.MALFORMED);
  }

  /** Whether the container has waited for long enough. */
  private static boolean isTimeout(Throwable failure) {
    return failure instanceof SocketTimeoutException
        || failure instanceof TimeoutException
        || failure.getCause() instanceof TimeoutException;
  }

  /** Looks at the clock, so long after {@link #begin}. From any thread. */
  public void tick(long elapsedNanos) {
    if (bounds.isLate(elapsedNanos, length)) {
      end(Failure.TOO_SLOW);
    }
  }

  /** No part of the body is needed any more. From any thread. */
  public void end(Failure why) {
    if (over.compareAndSet(false, true)) {
      listener.onFailure(why);
    }
  }
}

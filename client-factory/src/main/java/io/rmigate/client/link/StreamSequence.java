package io.rmigate.client.link;

import io.rmigate.protocol.tunnel.Sequence;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Streams of one session whose Calls the gateway makes one after the other, in the order in which
 * they are sent (PROTOCOL.md, section 7). It does not survive its session, since nothing is known
 * then of the calls that were under way. Thread-safe.
 */
public final class StreamSequence {
  /** Another one for each sequence of this JVM, whichever its session. */
  private static final AtomicInteger NUMBERS = new AtomicInteger();

  private final int number = NUMBERS.incrementAndGet();
  private final boolean endsAtNull;

  /** The link whose session the sequence belongs to; null before the first stream. */
  private final AtomicReference<Link> link = new AtomicReference<>();

  /**
   * @param endsAtNull whether a null result ends the sequence, as an exception does
   */
  public StreamSequence(boolean endsAtNull) {
    this.endsAtNull = endsAtNull;
  }

  /** Whether a stream of that link may take part. */
  boolean takes(Link its) {
    return link.compareAndSet(null, its) || link.get() == its;
  }

  Sequence frame(int stream) {
    return new Sequence(stream, number, endsAtNull);
  }
}

package io.rmigate.perf.link;

/**
 * A packet that has crossed the link. Times are those of the link's clock, which outside of tests
 * is {@link System#nanoTime}: on Linux it is the same in all processes.
 *
 * @param connection its number, from 1
 * @param bytes the payload, not to be changed
 * @param sentNanos when the sender gave it to the link
 * @param arrivesNanos when its last bit was due at the other end
 * @param answers whether it is the first to be sent from that end since something arrived there
 */
public record Crossing(
    int connection,
    Direction direction,
    @SuppressWarnings("ArrayRecordComponent") byte[] bytes,
    long sentNanos,
    long arrivesNanos,
    boolean answers) {

  /**
   * Whether this packet ends an exchange: a request had crossed, and this is what came back for it.
   */
  public boolean endsExchange() {
    return direction == Direction.DOWN && answers;
  }

  /** When the client's end of the link saw it: sent it, or received it. */
  public long seenByClientNanos() {
    return direction == Direction.UP ? sentNanos : arrivesNanos;
  }
}

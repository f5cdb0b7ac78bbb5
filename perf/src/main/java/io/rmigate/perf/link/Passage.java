package io.rmigate.perf.link;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;

/**
 * One direction of one connection: one thread takes packets from the sender and puts them on the
 * line, another hands them to the receiver when they arrive. The end of the sender's stream crosses
 * like a packet without payload.
 *
 * <p>What is on the line or waits for a receiver that does not read is at most {@link
 * #WINDOW_BYTES}; then nothing more is taken from the sender, as TCP would not.
 */
final class Passage {
  /** More than any profile has under way at its rate, so that TCP's window is no limit. */
  static final int WINDOW_BYTES = 1 << 20;

  private final LinkConnection connection;
  private final Direction direction;
  private final Socket from;
  private final Socket to;
  private final Line line;
  private final BlockingQueue<Crossing> underWay = new LinkedBlockingQueue<>();
  private final Semaphore window = new Semaphore(WINDOW_BYTES);

  Passage(LinkConnection connection, Direction direction, Socket from, Socket to, Line line) {
    this.connection = connection;
    this.direction = direction;
    this.from = from;
    this.to = to;
    this.line = line;
  }

  /** The sender's side; returns at the end of its stream. */
  void takeIn() throws InterruptedException, IOException {
    InputStream in = from.getInputStream();
    byte[] buffer = new byte[LinkProfile.PACKET_BYTES];
    int count;
    do {
      count = Math.max(0, read(in, buffer));
      long sent = connection.clock().nanoTime();
      boolean answers = count > 0 && connection.answers(direction);
      window.acquire(count);
      connection.onSent();
      underWay.add(
          new Crossing(
              connection.number(),
              direction,
              Arrays.copyOf(buffer, count),
              sent,
              line.accept(count),
              answers));
    } while (count > 0);
  }

  /** A sender that resets its connection has ended its stream too. */
  private static int read(InputStream in, byte[] buffer) {
    try {
      return in.read(buffer);
    } catch (IOException reset) {
      return -1;
    }
  }

  /**
   * The receiver's side; returns when the end of the stream has arrived. What comes for a receiver
   * that has gone is dropped: the other direction may still have something to hand out.
   */
  void handOut() throws InterruptedException {
    boolean gone = false;
    while (true) {
      Crossing crossing = underWay.take();
      connection.clock().sleepUntil(crossing.arrivesNanos());
      int count = crossing.bytes().length;
      if (count > 0) {
        connection.hasArrived(direction);
        connection.link().listener().crossed(crossing);
      }
      connection.onArrived();
      try {
        if (count == 0) {
          to.shutdownOutput();
          return;
        }
        if (!gone) {
          to.getOutputStream().write(crossing.bytes());
        }
      } catch (IOException reset) {
        if (count == 0) {
          return;
        }
        gone = true;
      }
      window.release(count);
    }
  }
}

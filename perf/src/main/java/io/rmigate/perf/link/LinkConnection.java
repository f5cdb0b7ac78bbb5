package io.rmigate.perf.link;

import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A connection through the link: two sockets and a {@link Passage} each way, on four daemon
 * threads. Ends when both directions have, or when either socket fails.
 */
final class LinkConnection {
  private final EmulatedLink link;
  private final int number;
  private final Socket client;
  private final Socket target;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicInteger passagesLeft = new AtomicInteger(4);
  private final AtomicInteger underWay = new AtomicInteger();
  private final AtomicBoolean cut = new AtomicBoolean();

  /** By direction: whether something has arrived there that nothing was sent back for yet. */
  private final AtomicBoolean arrivedUp = new AtomicBoolean();

  private final AtomicBoolean arrivedDown = new AtomicBoolean();

  LinkConnection(EmulatedLink link, int number, Socket client, Socket target) {
    this.link = link;
    this.number = number;
    this.client = client;
    this.target = target;
  }

  /** Begins to carry, from {@code openNanos} on. */
  void start(long openNanos) {
    Passage up = new Passage(this, Direction.UP, client, target, link.line(Direction.UP));
    Passage down = new Passage(this, Direction.DOWN, target, client, link.line(Direction.DOWN));
    thread("up, in", () -> takeIn(up, openNanos));
    thread("up, out", up::handOut);
    thread("down, in", () -> takeIn(down, openNanos));
    thread("down, out", down::handOut);
    threads.forEach(Thread::start);
  }

  private void takeIn(Passage passage, long openNanos) throws InterruptedException, IOException {
    clock().sleepUntil(openNanos);
    passage.takeIn();
  }

  /** The work of a passage on one of its threads. */
  private interface Work {
    void run() throws InterruptedException, IOException;
  }

  private void thread(String what, Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (InterruptedException | IOException ended) {
                cut(); // the link is closed, or a socket failed
              }
              if (passagesLeft.decrementAndGet() == 0) {
                cut();
              }
            },
            "link " + number + " " + what);
    thread.setDaemon(true);
    threads.add(thread);
  }

  /** Ends both directions at once and drops their packets. Idempotent; any thread. */
  void cut() {
    if (cut.compareAndSet(false, true)) {
      EmulatedLink.close(client);
      EmulatedLink.close(target);
      threads.forEach(Thread::interrupt);
      link.onClosed(this);
    }
  }

  /** A packet is being handed out at the end of {@code direction}. */
  void hasArrived(Direction direction) {
    (direction == Direction.UP ? arrivedUp : arrivedDown).set(true);
  }

  /** Whether a packet that now leaves in {@code direction} is the first since one came in there. */
  boolean answers(Direction direction) {
    return (direction == Direction.UP ? arrivedDown : arrivedUp).getAndSet(false);
  }

  /** A packet, or the end of a stream, goes on the line. */
  void onSent() {
    underWay.incrementAndGet();
  }

  /** The packet has arrived at the other end. */
  void onArrived() {
    link.onArrived();
    underWay.decrementAndGet();
  }

  /** Whether anything of it is on the line. */
  boolean isBusy() {
    return underWay.get() > 0;
  }

  EmulatedLink link() {
    return link;
  }

  LinkClock clock() {
    return link.clock();
  }

  int number() {
    return number;
  }
}

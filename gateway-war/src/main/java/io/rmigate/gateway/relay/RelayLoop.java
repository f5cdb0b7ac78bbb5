package io.rmigate.gateway.relay;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A selector thread: reads what servers and inner JVMs send, accepts what connects to listeners of
 * the gateway, finishes connects and writes that could not be finished at once, and watches
 * deadlines. After each round it flushes the links that the round has touched, so that Returns that
 * came together leave together.
 *
 * <p>What fails, even with an {@link Error}, ends the connection it belongs to and nothing else. A
 * round runs a bounded number of tasks.
 *
 * <p>Confinement: everything here but {@link #execute} and {@link #close} belongs to the one
 * thread.
 */
public final class RelayLoop implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(RelayLoop.class);

  /** More than a burst of connects brings; a few milliseconds at the most. */
  static final int TASKS_PER_ROUND = 512;

  private static final int READ_BYTES = 64 * 1024;
  private static final long DEADLINE_CHECK_MILLIS = 200;
  private static final long DEADLINE_CHECK_NANOS = DEADLINE_CHECK_MILLIS * 1_000_000;

  private final Selector selector;
  private final Thread thread;
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final ByteBuffer readBuffer = ByteBuffer.allocateDirect(READ_BYTES);
  private final Set<DeadlineCheck> waiting = new HashSet<>();
  private final List<Runnable> flushes = new ArrayList<>();
  private final BusyConnections crowd = new BusyConnections();
  private final Consumer<SelectionKey> ready = this::ready;
  private long lastDeadlineCheckNanos = System.nanoTime();
  private volatile boolean closed;

  /** Opens the selector; {@link #start} starts the thread. */
  public RelayLoop(String name) {
    try {
      selector = Selector.open();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    thread = new Thread(this::run, name);
    thread.setDaemon(true);
  }

  /** Starts the selector thread. */
  public void start() {
    thread.start();
  }

  /** Runs {@code task} on the selector thread, soon. From any thread. */
  public void execute(Runnable task) {
    tasks.add(task);
    if (Thread.currentThread() != thread) {
      selector.wakeup();
    }
  }

  /**
   * Runs {@code flush} once the current round is over. Does nothing on other threads: they flush
   * when they are done. Equal flushes of one round are run once.
   */
  public void afterRound(Runnable flush) {
    if (inLoop() && !flushes.contains(flush)) {
      flushes.add(flush);
    }
  }

  /** Whether the current thread is this loop's. */
  public boolean inLoop() {
    return Thread.currentThread() == thread;
  }

  public Selector selector() {
    return selector;
  }

  public ByteBuffer readBuffer() {
    readBuffer.clear();
    return readBuffer;
  }

  public BusyConnections crowd() {
    return crowd;
  }

  /** From here on {@link DeadlineCheck#checkDeadline} is called now and then. */
  public void watch(DeadlineCheck watched) {
    waiting.add(watched);
  }

  private void run() {
    while (!closed) {
      try {
        if (tasks.isEmpty()) {
          selector.select(ready, waiting.isEmpty() ? 0 : DEADLINE_CHECK_MILLIS);
        } else {
          selector.selectNow(ready); // tasks that the last round has left
        }
        gatherMore();
        runTasks();
        checkDeadlines();
        runFlushes();
      } catch (Throwable unexpected) {
        Containment.contain("a round of the relay loop", unexpected, () -> {});
      }
    }
    for (SelectionKey key : selector.keys()) {
      ((SelectorListener) key.attachment()).close();
    }
    try {
      selector.close();
    } catch (IOException harmless) {
      LOG.debug("closing the selector", harmless);
    }
  }

  /**
   * Lets Returns that are about to come leave with those that have come; see {@link
   * BusyConnections}.
   */
  @SuppressWarnings("ThreadPriorityCheck") // a hint: nothing depends on which thread runs next
  private void gatherMore() throws IOException {
    crowd.onRound(System.nanoTime());
    if (crowd.isCrowded() && !flushes.isEmpty()) {
      Thread.yield();
      selector.selectNow(ready);
    }
  }

  private void ready(SelectionKey key) {
    SelectorListener selected = (SelectorListener) key.attachment();
    try {
      selected.onReady(key);
    } catch (CancelledKeyException closedMeanwhile) {
      LOG.trace("closed while selected: {}", selected);
    } catch (Throwable unexpected) {
      Containment.contain(selected, unexpected, selected::breakDown);
    }
  }

  /**
   * Runs a bounded number of tasks, and the others in the next round, because servers, deadlines
   * and flushes wait.
   */
  private void runTasks() {
    for (int i = 0; i < TASKS_PER_ROUND; i++) {
      Runnable task = tasks.poll();
      if (task == null) {
        return;
      }
      try {
        task.run();
      } catch (Throwable unexpected) {
        Containment.contain("a task of the relay loop", unexpected, () -> {});
      }
    }
  }

  private void checkDeadlines() {
    long now = System.nanoTime();
    if (waiting.isEmpty() || now - lastDeadlineCheckNanos < DEADLINE_CHECK_NANOS) {
      return;
    }
    lastDeadlineCheckNanos = now;
    for (DeadlineCheck watched : List.copyOf(waiting)) {
      try {
        if (!watched.checkDeadline(now)) {
          waiting.remove(watched);
        }
      } catch (Throwable unexpected) {
        waiting.remove(watched);
        Containment.contain(watched, unexpected, watched::breakDown);
      }
    }
  }

  private void runFlushes() {
    for (int i = 0; i < flushes.size(); i++) {
      try {
        flushes.get(i).run();
      } catch (Throwable unexpected) {
        Containment.contain("a flush", unexpected, () -> {});
      }
    }
    flushes.clear();
  }

  /** Closes every connection and ends the thread. */
  @Override
  public void close() {
    closed = true;
    selector.wakeup();
  }
}

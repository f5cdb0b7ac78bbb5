package io.rmigate.gateway.edge;

import jakarta.websocket.CloseReason;
import jakarta.websocket.Session;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes WebSockets on threads of its own. A container's close may block behind a send that is
 * stuck (Tomcat's waits for it), and who ends a session is a timer, a relay loop or a selector, on
 * which others depend.
 *
 * <p>Thread-safe. Has no thread while nothing is to be closed.
 */
public final class LinkCloser implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LinkCloser.class);

  /** Stuck links that are waited for at a time; the others queue. */
  private static final int MAX_THREADS = 8;

  private static final Duration IDLE = Duration.ofSeconds(5);
  private static final Duration LAST_CLOSES = Duration.ofSeconds(3);

  /** How often it is looked whether clients have closed their sides. */
  private static final Duration LOOK = Duration.ofMillis(10);

  /** Links whose clients have not closed their sides; not by equality, which is the container's. */
  private final Set<Session> open =
      Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

  private final AtomicInteger number = new AtomicInteger();
  private final ThreadPoolExecutor threads;

  /** Starts nothing yet. */
  public LinkCloser() {
    threads =
        new ThreadPoolExecutor(
            MAX_THREADS,
            MAX_THREADS,
            IDLE.toSeconds(),
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, "rmigate-closer-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    threads.allowCoreThreadTimeOut(true);
  }

  /** Closes it soon. Never blocks, never fails. */
  void close(Session session, CloseReason reason) {
    try {
      threads.execute(() -> closeNow(session, reason));
    } catch (RejectedExecutionException stopping) {
      LOG.debug("left to the container, which is stopping: {}", session);
    }
  }

  /** A link has been opened. */
  void onOpen(Session session) {
    open.add(session);
  }

  /** A link is closed, on both sides or for good. */
  void onClosed(Session session) {
    open.remove(session);
  }

  /**
   * Waits a moment until the clients of all links have closed their sides, which they do when they
   * have read the last frames: closing a connection earlier would lose bytes that the client's
   * machine has not taken yet.
   */
  public void awaitLastWords() throws InterruptedException {
    long end = System.nanoTime() + LAST_CLOSES.toNanos();
    while (!open.isEmpty() && System.nanoTime() - end < 0) {
      Thread.sleep(LOOK.toMillis());
    }
  }

  private static void closeNow(Session session, CloseReason reason) {
    try {
      session.close(reason);
    } catch (IOException | RuntimeException gone) {
      LOG.debug("closing a link: {}", gone.toString());
    }
  }

  /** Waits a moment for what is being closed, and ends the threads. */
  @Override
  public void close() {
    threads.shutdown();
    try {
      if (threads.awaitTermination(LAST_CLOSES.toMillis(), TimeUnit.MILLISECONDS)) {
        return;
      }
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
    threads.shutdownNow();
  }
}

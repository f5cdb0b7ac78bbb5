package io.rmigate.client.callback;

import java.io.IOException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One port at which inner JVMs reach exported objects, as long as this JVM listens: over one
 * session after the other, at any gateway.
 *
 * <p>Its port is known, and it begins, with the first gateway's answer, on the reader of that link;
 * the rest is guarded by the lock of {@link Callbacks}.
 */
final class Listener {
  private static final long FIRST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final ExportSite site;
  private final Consumer<Listener> onClose;
  private volatile int port;
  private volatile HeldObjects held;

  /** The latest announcement; null before the first. */
  private Announcement announcement;

  /** Whether the gateway in use does not listen for us. */
  private boolean lost;

  private long pauseNanos = FIRST_PAUSE_NANOS;

  /** Asks the gateway again; null while nothing does. */
  private ScheduledFuture<?> retry;

  /**
   * @param port that the application asks for; 0 for any
   * @param site where the objects are
   * @param onClose when the JVM listens no more, once or more
   */
  Listener(int port, ExportSite site, Consumer<Listener> onClose) {
    this.port = port;
    this.site = site;
    this.onClose = onClose;
  }

  /** The gateway has given us a port. Once. */
  void begin(int atPort, HeldObjects objects) {
    port = atPort;
    site.begin(atPort);
    held = objects;
  }

  ExportSite site() {
    return site;
  }

  boolean hasBegun() {
    return held != null;
  }

  /** The port that stubs name; the port that was asked for until the listener has begun. */
  int port() {
    return port;
  }

  HeldObjects held() {
    return held;
  }

  Announcement announcement() {
    return announcement;
  }

  void announcedBy(Announcement latest) {
    announcement = latest;
  }

  boolean isLost() {
    return lost;
  }

  /** The gateway listens for us. */
  void onFound() {
    lost = false;
    pauseNanos = FIRST_PAUSE_NANOS;
  }

  /**
   * The gateway does not listen for us.
   *
   * @return when to ask it again, in nanoseconds from now
   */
  long onLost() {
    lost = true;
    return pause();
  }

  /** When to ask the gateway again, in nanoseconds from now; later each time. */
  long pause() {
    long pause = pauseNanos;
    pauseNanos = Math.min(pauseNanos * 2, LONGEST_PAUSE_NANOS);
    return pause;
  }

  /** Sets the task that asks the gateway again, and cancels the one before; null for none. */
  void retriedBy(ScheduledFuture<?> next) {
    if (retry != null) {
      retry.cancel(false);
    }
    retry = next;
  }

  /** The JVM listens no more. Idempotent. */
  void close() throws IOException {
    site.close();
    onClose.accept(this);
  }
}

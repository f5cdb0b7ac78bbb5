package io.rmigate.client.socks;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A warning that is logged once a minute at most. Thread-safe. */
public final class RareWarning {
  private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final String logger;
  private final String text;
  private final AtomicLong againNanos = new AtomicLong(System.nanoTime());

  /**
   * @param logger whose name it is logged under
   * @param text with places for arguments, as {@link java.text.MessageFormat} has them
   */
  public RareWarning(Class<?> logger, String text) {
    this.logger = logger.getName();
    this.text = text;
  }

  /** There is cause for it. */
  public void log(Object... arguments) {
    long now = System.nanoTime();
    long again = againNanos.get();
    if (now - again >= 0 && againNanos.compareAndSet(again, now + PAUSE_NANOS)) {
      System.getLogger(logger).log(System.Logger.Level.WARNING, text, arguments);
    }
  }
}

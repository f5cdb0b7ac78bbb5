package io.rmigate.java8;

import java.util.function.Supplier;

/** Additions to {@link System}. */
public final class LaterSystem {
  private LaterSystem() {}

  public static Logger getLogger(String name) {
    return Loggers.named(name);
  }

  /** The interface System.Logger. */
  public interface Logger {
    boolean isLoggable(Level level);

    void log(Level level, String message);

    void log(Level level, Supplier<String> message);

    void log(Level level, String message, Throwable thrown);

    void log(Level level, String format, Object... arguments);

    /** The enum System.Logger.Level. */
    enum Level {
      TRACE,
      DEBUG,
      INFO,
      WARNING,
      ERROR
    }
  }
}

package io.rmigate.java8;

import java.util.ResourceBundle;
import java.util.function.Supplier;

/** Loggers of Java 9 and later: those of the platform, which the application may have replaced. */
final class Loggers {
  private Loggers() {}

  static LaterSystem.Logger named(String name) {
    return new OfPlatform(System.getLogger(name));
  }

  /**
   * As a System.Logger it is none of the frames that the platform takes for the source of a record.
   */
  private static final class OfPlatform implements LaterSystem.Logger, System.Logger {
    private static final System.Logger.Level[] LEVELS = {
      System.Logger.Level.TRACE,
      System.Logger.Level.DEBUG,
      System.Logger.Level.INFO,
      System.Logger.Level.WARNING,
      System.Logger.Level.ERROR
    };

    private final System.Logger logger;

    OfPlatform(System.Logger logger) {
      this.logger = logger;
    }

    @Override
    public boolean isLoggable(LaterSystem.Logger.Level level) {
      return logger.isLoggable(LEVELS[level.ordinal()]);
    }

    @Override
    public void log(LaterSystem.Logger.Level level, String message) {
      logger.log(LEVELS[level.ordinal()], message);
    }

    @Override
    public void log(LaterSystem.Logger.Level level, Supplier<String> message) {
      logger.log(LEVELS[level.ordinal()], message);
    }

    @Override
    public void log(LaterSystem.Logger.Level level, String message, Throwable thrown) {
      logger.log(LEVELS[level.ordinal()], message, thrown);
    }

    @Override
    public void log(LaterSystem.Logger.Level level, String format, Object... arguments) {
      logger.log(LEVELS[level.ordinal()], format, arguments);
    }

    @Override
    public String getName() {
      return logger.getName();
    }

    @Override
    public boolean isLoggable(System.Logger.Level level) {
      return logger.isLoggable(level);
    }

    @Override
    public void log(
        System.Logger.Level level, ResourceBundle bundle, String message, Throwable thrown) {
      logger.log(level, bundle, message, thrown);
    }

    @Override
    public void log(
        System.Logger.Level level, ResourceBundle bundle, String format, Object... arguments) {
      logger.log(level, bundle, format, arguments);
    }
  }
}

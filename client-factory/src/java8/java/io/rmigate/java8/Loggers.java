package io.rmigate.java8;

import java.util.function.Supplier;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Loggers of Java 8: those of java.util.logging. */
final class Loggers {
  private Loggers() {}

  static LaterSystem.Logger named(String name) {
    return new OfJavaUtilLogging(Logger.getLogger(name));
  }

  private static final class OfJavaUtilLogging implements LaterSystem.Logger {
    private static final java.util.logging.Level[] LEVELS = {
      java.util.logging.Level.FINER,
      java.util.logging.Level.FINE,
      java.util.logging.Level.INFO,
      java.util.logging.Level.WARNING,
      java.util.logging.Level.SEVERE
    };

    private final Logger logger;

    OfJavaUtilLogging(Logger logger) {
      this.logger = logger;
    }

    @Override
    public boolean isLoggable(LaterSystem.Logger.Level level) {
      return logger.isLoggable(LEVELS[level.ordinal()]);
    }

    @Override
    public void log(LaterSystem.Logger.Level level, String message) {
      write(level, message, null);
    }

    @Override
    public void log(LaterSystem.Logger.Level level, Supplier<String> message) {
      if (isLoggable(level)) {
        write(level, message.get(), null);
      }
    }

    @Override
    public void log(LaterSystem.Logger.Level level, String message, Throwable thrown) {
      write(level, message, thrown);
    }

    @Override
    public void log(LaterSystem.Logger.Level level, String format, Object... arguments) {
      write(level, format, null, arguments);
    }

    private void write(
        LaterSystem.Logger.Level level, String message, Throwable thrown, Object... arguments) {
      if (!isLoggable(level)) {
        return;
      }
      LogRecord record = new LogRecord(LEVELS[level.ordinal()], message);
      record.setLoggerName(logger.getName());
      record.setThrown(thrown);
      record.setParameters(arguments);
      for (StackTraceElement caller : new Throwable().getStackTrace()) {
        if (!caller.getClassName().startsWith("io.rmigate.java8.")) {
          record.setSourceClassName(caller.getClassName());
          record.setSourceMethodName(caller.getMethodName());
          break;
        }
      }
      logger.log(record);
    }
  }
}

package io.rmigate.gateway.testing;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.read.ListAppender;
import io.rmigate.gateway.log.BoundedLog;
import java.util.List;
import org.slf4j.LoggerFactory;

/**
 * What a class has logged since this was made. Meanwhile no line is left out because there were
 * many in this minute: the tests before may have written them.
 */
public final class LogLines implements AutoCloseable {
  private final Logger logger;
  private final ListAppender<ILoggingEvent> appender = new ListAppender<>();
  private final List<TurboFilter> bounds;

  /** Listens to the logger of {@code logging}. */
  public LogLines(Class<?> logging) {
    this(logging.getName());
  }

  /** Listens to a logger, and to those whose names begin with its name. */
  public LogLines(String name) {
    logger = (Logger) LoggerFactory.getLogger(name);
    bounds =
        logger.getLoggerContext().getTurboFilterList().stream()
            .filter(BoundedLog.class::isInstance)
            .toList();
    logger.getLoggerContext().getTurboFilterList().removeAll(bounds);
    appender.start();
    logger.addAppender(appender);
  }

  /** Their messages, the oldest first. */
  public List<String> all() {
    return appender.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  /** Those of them that warn. */
  public List<String> warnings() {
    return appender.list.stream()
        .filter(event -> event.getLevel() == Level.WARN)
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  @Override
  public void close() {
    logger.detachAppender(appender);
    logger.getLoggerContext().getTurboFilterList().addAll(bounds);
  }
}

package io.rmigate.gateway.login;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** What {@link Login} has logged since this was made. */
final class LogLines implements AutoCloseable {
  private final Logger logger = (Logger) LoggerFactory.getLogger(Login.class);
  private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

  LogLines() {
    appender.start();
    logger.addAppender(appender);
  }

  List<String> all() {
    return appender.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  @Override
  public void close() {
    logger.detachAppender(appender);
  }
}

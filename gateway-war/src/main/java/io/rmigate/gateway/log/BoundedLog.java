package io.rmigate.gateway.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import io.rmigate.protocol.LogText;
import org.slf4j.Marker;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.MessageFormatter;

/**
 * Bounds rate and length of log lines of this gateway, its container and libraries. Clients can
 * cause many of these lines before they log in, and choose much of their text. Logback makes one
 * from {@code logback.xml} and asks it before it makes an event.
 *
 * <p>Lines below INFO are not bounded, because an operator has asked for each of them.
 *
 * <p>Thread-safe.
 */
public final class BoundedLog extends TurboFilter {
  /**
   * Lines a minute of one statement of this gateway. Many name a caller: those of one are fewer.
   */
  static final int OF_A_STATEMENT = 600;

  /** Lines a minute of one logger of others, and of one statement with a stack trace. */
  static final int OF_OTHERS = 60;

  /** The longest text of a line of this gateway; its own words need less. */
  static final int MAX_CHARS = 4_096;

  /** The longest text of a line of others, whose authors have thought of no hostile caller. */
  static final int MAX_CHARS_OF_OTHERS = 300;

  private static final String OURS = "io.rmigate.";
  private static final int MAX_FRAMES = 12;
  private static final int MAX_CAUSES = 4;

  /** On lines that have been shortened here. SLF4J's own factory is not there before Logback is. */
  private static final Marker BOUNDED = new BasicMarkerFactory().getMarker("bounded");

  private final RareLines statements = RareLines.of(OF_A_STATEMENT);
  private final RareLines others = RareLines.of(OF_OTHERS);

  /**
   * What lines are counted by.
   *
   * @param text with its placeholders; empty: all of that logger
   */
  private record Statement(String logger, String text) {
    @Override
    public String toString() {
      String simple = logger.substring(logger.lastIndexOf('.') + 1);
      return text.isEmpty() ? simple : simple + " (" + LogText.brief(text) + ")";
    }
  }

  @Override
  public FilterReply decide(
      Marker marker,
      Logger logger,
      Level level,
      String format,
      Object[] arguments,
      Throwable given) {
    if (format == null // whether that level is logged is all that is asked
        || marker == BOUNDED
        || level.levelInt < Math.max(Level.INFO_INT, logger.getEffectiveLevel().levelInt)) {
      return FilterReply.NEUTRAL;
    }
    Throwable thrown = given == null ? MessageFormatter.getThrowableCandidate(arguments) : given;
    boolean isOurs = logger.getName().startsWith(OURS);
    RareLines counted = isOurs && thrown == null ? statements : others;
    Statement statement = new Statement(logger.getName(), isOurs ? format : "");
    if (marker != RareLines.COUNTED && !counted.mayWrite(statement, logger)) {
      return FilterReply.DENY;
    }
    String text = MessageFormatter.arrayFormat(format, arguments).getMessage();
    if (isOurs && thrown == null && text.length() <= MAX_CHARS) {
      return FilterReply.NEUTRAL;
    }
    String bounded = isOurs ? cut(text, MAX_CHARS) : LogText.of(cut(text, MAX_CHARS_OF_OTHERS));
    logger.log(
        BOUNDED,
        BoundedLog.class.getName(),
        Level.toLocationAwareLoggerInteger(level),
        "{}",
        new Object[] {bounded + trace(thrown)},
        null);
    return FilterReply.DENY;
  }

  private static String cut(String text, int most) {
    return text.length() <= most
        ? text
        : text.substring(0, most) + "… (" + text.length() + " characters)";
  }

  private static String trace(Throwable thrown) {
    StringBuilder lines = new StringBuilder();
    Throwable shown = thrown;
    for (int i = 0; shown != null && i < MAX_CAUSES; i++) {
      lines
          .append(i == 0 ? "\n" : "\nCaused by: ")
          .append(LogText.of(cut(shown.toString(), MAX_CHARS_OF_OTHERS)));
      StackTraceElement[] frames = shown.getStackTrace();
      for (int at = 0; at < Math.min(frames.length, MAX_FRAMES); at++) {
        lines.append("\n\tat ").append(frames[at]);
      }
      shown = shown.getCause();
    }
    return lines.toString();
  }
}

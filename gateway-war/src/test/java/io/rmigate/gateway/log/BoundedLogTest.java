package io.rmigate.gateway.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Log lines that callers cause, of any logger. */
class BoundedLogTest {
  private static final String LONG = "A".repeat(7_000);

  private final LoggerContext context = new LoggerContext();
  private final ListAppender<ILoggingEvent> written = new ListAppender<>();
  private final Logger container = context.getLogger("org.eclipse.jetty.util.HostPort");
  private final Logger ours = context.getLogger("io.rmigate.gateway.session.TunnelSession");

  @BeforeEach
  void start() {
    written.start();
    context.addTurboFilter(new BoundedLog());
    context.getLogger("ROOT").addAppender(written);
    context.getLogger("ROOT").setLevel(Level.INFO);
  }

  @AfterEach
  void stop() {
    context.stop();
  }

  private List<String> messages() {
    return written.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  @Test
  void othersHaveSixtyShortLinesAMinuteWhateverTheySay() {
    for (int i = 0; i < 1_000; i++) {
      container.warn("Bad Authority " + i + ": " + LONG); // not a constant with placeholders
    }
    assertThat(messages())
        .hasSize(BoundedLog.OF_OTHERS)
        .allSatisfy(line -> assertThat(line).hasSizeLessThan(400).startsWith("Bad Authority "));
  }

  @Test
  void whatACallerSaysBeginsNoLineThroughOthers() {
    container.warn("Bad Authority [{}]", "x\r\n12:00:00.000 INFO  forged");
    assertThat(messages()).containsExactly("Bad Authority [x??12:00:00.000 INFO  forged]");
  }

  @Test
  void aStackTraceIsShort() {
    Exception deep = new IllegalStateException(LONG, new IllegalArgumentException(LONG));
    deep.setStackTrace(new Exception().getStackTrace());
    for (int i = 0; i < 1_000; i++) {
      container.warn("/rmigate/tunnel", deep);
      ours.error("session {}: unexpected failure", i, deep);
    }
    assertThat(messages())
        .hasSize(2 * BoundedLog.OF_OTHERS)
        .allSatisfy(
            line ->
                assertThat(line)
                    .hasSizeLessThan(5_000)
                    .contains("IllegalStateException", "\n\tat ", "Caused by: "));
    assertThat(written.list).allMatch(event -> event.getThrowableProxy() == null);
  }

  @Test
  void eachStatementOfOursHasLinesOfItsOwn() {
    for (int i = 0; i < 1_000; i++) {
      ours.info("session {} has begun", i);
    }
    ours.info("session {} has ended", LONG);
    assertThat(messages()).hasSize(BoundedLog.OF_A_STATEMENT + 1);
    assertThat(messages().get(BoundedLog.OF_A_STATEMENT))
        .hasSizeBetween(BoundedLog.MAX_CHARS, BoundedLog.MAX_CHARS + 40)
        .endsWith("(7018 characters)");
  }

  @Test
  void whatIsNotLoggedIsNotCounted() {
    ours.setLevel(Level.ERROR);
    for (int i = 0; i < 1_000; i++) {
      ours.info("session {} has begun", i);
    }
    assertThat(ours.isInfoEnabled()).isFalse();
    ours.setLevel(Level.DEBUG);
    ours.info("session {} has begun", 1);
    for (int i = 0; i < 1_000; i++) {
      ours.debug("session {} sends a frame", i);
    }
    assertThat(messages()).hasSize(1_001).contains("session 1 has begun");
  }
}

package io.rmigate.soap;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.rmigate.soap.json.JsonFront;
import io.rmigate.soap.json.JsonLimits;
import io.rmigate.soap.soap.SoapDialect;
import io.rmigate.soap.soap.SoapLimits;
import io.rmigate.soap.testing.RecordedReply;
import io.rmigate.soap.testing.RunningShop;
import io.rmigate.soap.testing.SoapAnswer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** What clients can have written into the log as often as they like. */
class LoggedFailuresTest {

  @Test
  void undeclaredFailuresAreOneLineEach(@TempDir Path directory) throws Exception {
    Logger logger = (Logger) LoggerFactory.getLogger("io.rmigate.soap");
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    logger.addAppender(lines);
    try (RunningShop shop = RunningShop.in(directory)) {
      SoapAnswer.to(
          new SoapDialect(SoapLimits.DEFAULT).front(shop.publication().contract()),
          shop.caller(),
          SoapAnswer.envelope11(
              "",
              "<t:fail xmlns:t='urn:rmigate:contract:shop.Shop'><how>unchecked</how></t:fail>"));
      RecordedReply.of(
          new JsonFront(shop.publication().contract(), JsonLimits.DEFAULT),
          shop.caller(),
          "fail",
          "{\"how\":\"unchecked\"}");
    } finally {
      logger.detachAppender(lines);
    }

    List<ILoggingEvent> said =
        lines.list.stream().filter(line -> line.getLevel().isGreaterOrEqual(Level.INFO)).toList();
    assertThat(said).hasSize(2);
    assertThat(said)
        .allSatisfy(
            line -> {
              assertThat(line.getLevel()).isEqualTo(Level.INFO);
              assertThat(line.getThrowableProxy()).isNull();
              assertThat(line.getFormattedMessage())
                  .startsWith("Shop.fail failed: ")
                  .contains("IllegalStateException")
                  .doesNotContain("\n")
                  .hasSizeLessThan(2000);
            });
  }
}

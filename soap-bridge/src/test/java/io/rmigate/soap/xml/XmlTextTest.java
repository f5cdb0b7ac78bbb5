package io.rmigate.soap.xml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.soap.publish.NotPublishedException;
import io.rmigate.soap.publish.Publication;
import io.rmigate.soap.testing.Published;
import io.rmigate.soap.type.Scalar;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Calendar;
import java.util.Date;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What generated clients write where XML Schema lets them. */
@SuppressWarnings("JavaUtilDate") // published interfaces have it
class XmlTextTest {
  private static final String SHOP =
      """
      public interface Shop extends Remote {
        void take(LocalTime time, java.sql.Time old, OffsetTime offset, LocalDateTime local,
            LocalDate day, java.sql.Date oldDay, Year year, YearMonth month, MonthDay birthday,
            OffsetDateTime moment, Instant instant, Date date, Calendar calendar,
            java.sql.Timestamp stamp, ZonedDateTime zoned) throws RemoteException;
      }
      """;

  private static Publication publication;

  @BeforeAll
  static void publish(@TempDir Path directory) throws NotPublishedException {
    publication = Published.shop(directory, SHOP);
  }

  @AfterAll
  static void close() {
    publication.close();
  }

  private static Scalar scalar(Class<?> type) {
    return publication.contract().operations().get(0).parameters().stream()
        .map(parameter -> (Scalar) parameter.shape())
        .filter(scalar -> scalar.javaType() == type)
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"14:20:30", "14:20:30Z", "14:20:30.0000000+00:00", "14:20:30.0000000-11:30"})
  void anOffsetBehindATimeWithoutOneIsPassedOver(String text) {
    LocalTime time = LocalTime.of(14, 20, 30);

    assertThat(XmlText.parse(scalar(LocalTime.class), text)).isEqualTo(time);
    assertThat(XmlText.parse(scalar(java.sql.Time.class), text))
        .isEqualTo(java.sql.Time.valueOf(time));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Z", "+01:00", "-11:30", "+14:00", "-00:00"})
  void anOffsetBehindADateWithoutOneIsPassedOver(String offset) {
    LocalDate day = LocalDate.of(2026, 11, 21);

    assertThat(XmlText.parse(scalar(LocalDate.class), "2026-11-21" + offset)).isEqualTo(day);
    assertThat(XmlText.parse(scalar(java.sql.Date.class), "2026-11-21" + offset))
        .isEqualTo(java.sql.Date.valueOf(day));
    assertThat(XmlText.parse(scalar(LocalDateTime.class), "2026-11-21T14:20:30" + offset))
        .isEqualTo(day.atTime(14, 20, 30));
    assertThat(XmlText.parse(scalar(Year.class), "2026" + offset)).isEqualTo(Year.of(2026));
    assertThat(XmlText.parse(scalar(YearMonth.class), "2026-11" + offset))
        .isEqualTo(YearMonth.of(2026, 11));
    assertThat(XmlText.parse(scalar(MonthDay.class), "--11-21" + offset))
        .isEqualTo(MonthDay.of(11, 21));
  }

  /** XML Schema Part 2, 3.2.7.1: the first instant of the following day. */
  @ParameterizedTest
  @ValueSource(strings = {"24:00:00", "24:00:00.0", "24:00:00.000000000"})
  void midnightMayBeTheEndOfADay(String midnight) {
    Instant next = Instant.parse("2027-01-01T00:00:00Z");
    String utc = "2026-12-31T" + midnight + "Z";

    assertThat(XmlText.parse(scalar(LocalTime.class), midnight)).isEqualTo(LocalTime.MIDNIGHT);
    assertThat(XmlText.parse(scalar(LocalTime.class), midnight + "+01:00"))
        .isEqualTo(LocalTime.MIDNIGHT);
    assertThat(XmlText.parse(scalar(java.sql.Time.class), midnight))
        .isEqualTo(java.sql.Time.valueOf(LocalTime.MIDNIGHT));
    assertThat(XmlText.parse(scalar(OffsetTime.class), midnight + "-05:00"))
        .isEqualTo(OffsetTime.parse("00:00:00-05:00"));
    assertThat(XmlText.parse(scalar(LocalDateTime.class), "2026-12-31T" + midnight))
        .isEqualTo(LocalDateTime.of(2027, 1, 1, 0, 0));
    assertThat(XmlText.parse(scalar(OffsetDateTime.class), "2026-12-31T" + midnight + "+01:00"))
        .isEqualTo(OffsetDateTime.parse("2027-01-01T00:00:00+01:00"));
    assertThat(XmlText.parse(scalar(Instant.class), utc)).isEqualTo(next);
    assertThat(XmlText.parse(scalar(Date.class), utc)).isEqualTo(Date.from(next));
    assertThat(XmlText.parse(scalar(java.sql.Timestamp.class), utc))
        .isEqualTo(java.sql.Timestamp.from(next));
    assertThat(((Calendar) XmlText.parse(scalar(Calendar.class), utc)).toInstant()).isEqualTo(next);
    assertThat(XmlText.parse(scalar(ZonedDateTime.class), utc + "[Europe/Ljubljana]"))
        .isEqualTo(next.atZone(ZoneId.of("Europe/Ljubljana")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"24:00:01", "24:01:00", "25:00:00", "24:00:00.1", "124:00:00"})
  void thereIsNothingBehindTheEndOfADay(String time) {
    for (Class<?> type : List.of(LocalTime.class, java.sql.Time.class)) {
      assertThatThrownBy(() -> XmlText.parse(scalar(type), time))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> XmlText.parse(scalar(Instant.class), "2026-12-31T" + time + "Z"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** XML Schema and RFC 3339 do not let them be left out, as Java does. */
  @Test
  void secondsAreWrittenEvenIfThereAreNone() throws Exception {
    LocalDateTime local = LocalDateTime.of(2026, 11, 21, 14, 20);
    ZoneOffset offset = ZoneOffset.ofHours(1);

    assertThat(XmlText.print(scalar(LocalTime.class), local.toLocalTime())).isEqualTo("14:20:00");
    assertThat(
            XmlText.print(scalar(java.sql.Time.class), java.sql.Time.valueOf(local.toLocalTime())))
        .isEqualTo("14:20:00");
    assertThat(XmlText.print(scalar(OffsetTime.class), local.toLocalTime().atOffset(offset)))
        .isEqualTo("14:20:00+01:00");
    assertThat(XmlText.print(scalar(LocalDateTime.class), local)).isEqualTo("2026-11-21T14:20:00");
    assertThat(XmlText.print(scalar(OffsetDateTime.class), local.atOffset(offset)))
        .isEqualTo("2026-11-21T14:20:00+01:00");
    assertThat(XmlText.print(scalar(LocalDateTime.class), local.withNano(500_000_000)))
        .isEqualTo("2026-11-21T14:20:00.5");
  }

  @Test
  void whereAnOffsetMeansSomethingItIsNeitherLostNorMade() {
    assertThat(XmlText.parse(scalar(OffsetTime.class), "14:20:30+01:00"))
        .isEqualTo(OffsetTime.parse("14:20:30+01:00"));
    assertThatThrownBy(() -> XmlText.parse(scalar(OffsetTime.class), "14:20:30"))
        .isInstanceOf(IllegalArgumentException.class);
    for (Class<?> type : List.of(OffsetDateTime.class, Instant.class, Date.class, Calendar.class)) {
      assertThatThrownBy(() -> XmlText.parse(scalar(type), "2026-11-21T14:20:30"))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}

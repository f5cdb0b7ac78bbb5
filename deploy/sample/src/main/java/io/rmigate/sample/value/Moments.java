package io.rmigate.sample.value;

import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.YearMonth;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Calendar;
import java.util.Date;

/** A bean of public fields: old and new classes for points in time, each of which is needed. */
public final class Moments implements Serializable {
  private static final long serialVersionUID = 1L;

  public Date date;
  public Calendar calendar;
  public java.sql.Timestamp stamp;
  public java.sql.Date day;
  public Instant instant;
  public OffsetDateTime offset;
  public ZonedDateTime zoned;
  public LocalDateTime local;
  public LocalDate localDate;
  public LocalTime time;
  public Duration duration;
  public YearMonth month;

  /**
   * These moments a day later, of the time an hour, of the duration a minute, of the month a month.
   */
  public Moments later() {
    Moments later = new Moments();
    later.date = Date.from(date.toInstant().plus(1, ChronoUnit.DAYS));
    later.calendar = (Calendar) calendar.clone();
    later.calendar.add(Calendar.DAY_OF_MONTH, 1);
    later.stamp = java.sql.Timestamp.from(stamp.toInstant().plus(1, ChronoUnit.DAYS));
    later.day = java.sql.Date.valueOf(day.toLocalDate().plusDays(1));
    later.instant = instant.plus(1, ChronoUnit.DAYS);
    later.offset = offset.plusDays(1);
    later.zoned = zoned.plusDays(1);
    later.local = local.plusDays(1);
    later.localDate = localDate.plusDays(1);
    later.time = time.plusHours(1);
    later.duration = duration.plusMinutes(1);
    later.month = month.plusMonths(1);
    return later;
  }
}

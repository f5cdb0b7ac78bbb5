package io.rmigate.soap.type;

import io.rmigate.soap.type.Scalar.Kind;
import io.rmigate.soap.type.Scalar.Range;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.sql.Timestamp;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.time.temporal.Temporal;
import java.time.temporal.TemporalAccessor;
import java.util.Calendar;
import java.util.Currency;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.IllformedLocaleException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** All scalars that there are. What is not here is a structure, or cannot be mapped. */
final class Scalars {
  /**
   * Digits of an exact number, before and after its point together, and the reach of its exponent.
   */
  private static final int MAX_DIGITS = 1000;

  /** How XML Schema (3.3.7, 3.3.8) and ISO 8601 may write midnight at the end of a day. */
  private static final Pattern END_OF_DAY =
      Pattern.compile("(?<day>^|T)24(?<rest>:00(?::00(?:\\.0+)?)?(?:$|[Z+-].*))");

  private static final Map<Class<?>, Scalar> ALL = new HashMap<>();

  static {
    numbers();
    texts();
    legacyDates();
    javaTime();
  }

  private Scalars() {}

  static Optional<Scalar> of(Class<?> type) {
    return Optional.ofNullable(ALL.get(type));
  }

  private static void numbers() {
    both(boolean.class, Boolean.class, Kind.BOOLEAN, "", "boolean", Scalars::parseBoolean);
    whole(byte.class, Byte.class, Range.BYTE, "int8", Byte::valueOf);
    whole(short.class, Short.class, Range.SHORT, "int16", Short::valueOf);
    whole(int.class, Integer.class, Range.INT, "int32", Integer::valueOf);
    whole(long.class, Long.class, Range.LONG, "int64", Long::valueOf);
    both(float.class, Float.class, Kind.FLOATING, "float", "float", Scalars::parseFloat);
    both(double.class, Double.class, Kind.FLOATING, "double", "double", Scalars::parseDouble);
    both(char.class, Character.class, Kind.CHARACTER, "char", "unsignedShort", Scalars::parseChar);
    add(
        BigInteger.class,
        Kind.EXACT,
        "big-integer",
        "integer",
        text -> new BigInteger(bounded(text)),
        Object::toString);
    add(
        BigDecimal.class,
        Kind.EXACT,
        "decimal",
        "decimal",
        Scalars::parseDecimal,
        value -> plain((BigDecimal) value));
  }

  private static void texts() {
    text(String.class, "", "string", text -> text);
    text(UUID.class, "uuid", "string", ofJdk(UUID.class, Scalars::parseUuid));
    text(URI.class, "uri-reference", "anyURI", ofJdk(URI.class, URI::create));
    add(
        Locale.class,
        Kind.TEXT,
        "language-tag",
        "string",
        Scalars::parseLocale,
        value -> ((Locale) value).toLanguageTag());
    text(Currency.class, "currency", "string", ofJdk(Currency.class, Currency::getInstance));
  }

  /** A parser whose exceptions have no message, or one that cannot follow the name of a value. */
  private static Function<String, Object> ofJdk(Class<?> type, Function<String, Object> parser) {
    return text -> {
      try {
        return parser.apply(text);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("is no " + type.getSimpleName(), e);
      }
    };
  }

  /** The legacy classes stand for moments, days and times of day; zones are not kept. */
  @SuppressWarnings("JavaUtilDate") // they are what published interfaces have
  private static void legacyDates() {
    add(
        Date.class,
        Kind.TEXT,
        "date-time",
        "dateTime",
        text -> Date.from(parseInstant(text)),
        value -> Instant.ofEpochMilli(((Date) value).getTime()).toString());
    add(
        Timestamp.class,
        Kind.TEXT,
        "date-time",
        "dateTime",
        text -> Timestamp.from(parseInstant(text)),
        value -> ((Timestamp) value).toInstant().toString());
    add(
        java.sql.Date.class,
        Kind.TEXT,
        "date",
        "date",
        text -> java.sql.Date.valueOf(LocalDate.parse(text)),
        value -> ((java.sql.Date) value).toLocalDate().toString());
    add(
        java.sql.Time.class,
        Kind.TEXT,
        "time-local",
        "time",
        text -> java.sql.Time.valueOf(LocalTime.parse(timeOfDay(text))),
        value -> DateTimeFormatter.ISO_LOCAL_TIME.format(((java.sql.Time) value).toLocalTime()));
    for (Class<?> calendar : new Class<?>[] {Calendar.class, GregorianCalendar.class}) {
      add(
          calendar,
          Kind.TEXT,
          "date-time",
          "dateTime",
          text -> GregorianCalendar.from(parseOffset(text).toZonedDateTime()),
          value -> {
            Calendar moment = (Calendar) value;
            return moment
                .toInstant()
                .atZone(moment.getTimeZone().toZoneId())
                .format(DateTimeFormatter.ISO_OFFSET_DATE_TIME);
          });
    }
  }

  private static void javaTime() {
    text(Instant.class, "date-time", "dateTime", Scalars::parseInstant);
    time(
        OffsetDateTime.class,
        "date-time",
        "dateTime",
        Scalars::parseOffset,
        DateTimeFormatter.ISO_OFFSET_DATE_TIME);
    time(
        LocalDateTime.class,
        "date-time-local",
        "dateTime",
        text -> moment(text, LocalDateTime::parse),
        DateTimeFormatter.ISO_LOCAL_DATE_TIME);
    text(LocalDate.class, "date", "date", LocalDate::parse);
    time(
        LocalTime.class,
        "time-local",
        "time",
        text -> LocalTime.parse(timeOfDay(text)),
        DateTimeFormatter.ISO_LOCAL_TIME);
    time(
        OffsetTime.class,
        "time",
        "time",
        text -> OffsetTime.parse(timeOfDay(text)),
        DateTimeFormatter.ISO_OFFSET_TIME);
    text(Duration.class, "duration", "duration", Duration::parse);
    text(Period.class, "duration", "duration", Period::parse);
    text(Year.class, "year", "gYear", Year::parse);
    text(YearMonth.class, "year-month", "gYearMonth", YearMonth::parse);
    text(MonthDay.class, "month-day", "gMonthDay", MonthDay::parse);
    text(
        ZonedDateTime.class,
        "zoned-date-time",
        "string",
        text -> moment(text, ZonedDateTime::parse));
    text(ZoneId.class, "zone-id", "string", ZoneId::of);
    text(ZoneOffset.class, "zone-offset", "string", ZoneOffset::of);
  }

  private static void both(
      Class<?> primitive,
      Class<?> wrapper,
      Kind kind,
      String format,
      String schemaType,
      Function<String, Object> reader) {
    add(primitive, kind, format, schemaType, reader, Object::toString);
    add(wrapper, kind, format, schemaType, reader, Object::toString);
  }

  private static void whole(
      Class<?> primitive,
      Class<?> wrapper,
      Range range,
      String format,
      Function<String, Object> parser) {
    Function<String, Object> reader =
        text -> {
          mustBeDecimal(text);
          return parser.apply(text);
        };
    for (Class<?> type : List.of(primitive, wrapper)) {
      add(type, Kind.INTEGER, format, primitive.getName(), range, reader, Object::toString);
    }
  }

  private static void text(
      Class<?> type, String format, String schemaType, Function<String, Object> reader) {
    add(type, Kind.TEXT, format, schemaType, reader, Object::toString);
  }

  /** With its seconds even where there are none: XML Schema and RFC 3339 want them. */
  private static void time(
      Class<?> type,
      String format,
      String schemaType,
      Function<String, Object> reader,
      DateTimeFormatter printer) {
    add(
        type,
        Kind.TEXT,
        format,
        schemaType,
        reader,
        value -> printer.format((TemporalAccessor) value));
  }

  private static void add(
      Class<?> type,
      Kind kind,
      String format,
      String schemaType,
      Function<String, Object> reader,
      Function<Object, String> printer) {
    add(type, kind, format, schemaType, null, reader, printer);
  }

  private static void add(
      Class<?> type,
      Kind kind,
      String format,
      String schemaType,
      Range range,
      Function<String, Object> reader,
      Function<Object, String> printer) {
    Function<String, Object> plain =
        text -> {
          try {
            return reader.apply(text);
          } catch (NumberFormatException e) {
            throw new IllegalArgumentException("is no " + type.getSimpleName(), e);
          } catch (DateTimeException e) {
            throw new IllegalArgumentException("is no " + format + " as in ISO 8601", e);
          }
        };
    ALL.put(type, new Scalar(type, kind, format, schemaType, range, plain, printer));
  }

  private static Object parseBoolean(String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException("is neither true nor false");
    };
  }

  /**
   * Java's own parsers also take hexadecimal numbers, blanks, suffixes and the digits of all
   * scripts.
   */
  private static void mustBeDecimal(String text) {
    if (text.isEmpty()) {
      throw new NumberFormatException(text);
    }
    for (int i = 0; i < text.length(); i++) {
      if ("0123456789+-.eE".indexOf(text.charAt(i)) < 0) {
        throw new NumberFormatException(text);
      }
    }
  }

  private static Object parseFloat(String text) {
    return switch (text) {
      case "NaN" -> Float.NaN;
      case "Infinity" -> Float.POSITIVE_INFINITY;
      case "-Infinity" -> Float.NEGATIVE_INFINITY;
      default -> {
        mustBeDecimal(text);
        float value = Float.parseFloat(text);
        if (Float.isInfinite(value)) {
          throw new IllegalArgumentException("is out of the range of float");
        }
        yield value;
      }
    };
  }

  private static Object parseDouble(String text) {
    return switch (text) {
      case "NaN" -> Double.NaN;
      case "Infinity" -> Double.POSITIVE_INFINITY;
      case "-Infinity" -> Double.NEGATIVE_INFINITY;
      default -> {
        mustBeDecimal(text);
        double value = Double.parseDouble(text);
        if (Double.isInfinite(value)) {
          throw new IllegalArgumentException("is out of the range of double");
        }
        yield value;
      }
    };
  }

  private static Object parseChar(String text) {
    if (text.length() != 1) {
      throw new IllegalArgumentException("is not one character of the basic multilingual plane");
    }
    return text.charAt(0);
  }

  private static String bounded(String text) {
    mustBeDecimal(text);
    if (text.length() > MAX_DIGITS) {
      throw new IllegalArgumentException("has more than " + MAX_DIGITS + " digits");
    }
    return text;
  }

  /** A short text with a huge exponent would become a huge number in a computation. */
  private static Object parseDecimal(String text) {
    BigDecimal value = new BigDecimal(bounded(text));
    if (Math.abs((long) value.scale()) > MAX_DIGITS) {
      throw new IllegalArgumentException("has an exponent beyond " + MAX_DIGITS);
    }
    return value;
  }

  private static String plain(BigDecimal value) {
    return Math.abs((long) value.scale()) > MAX_DIGITS ? value.toString() : value.toPlainString();
  }

  /** Unlike its own parser, any offset will do. */
  private static Instant parseInstant(String text) {
    return parseOffset(text).toInstant();
  }

  private static OffsetDateTime parseOffset(String text) {
    return (OffsetDateTime) moment(text, OffsetDateTime::parse);
  }

  /** A date with a time of day, of which 24:00 is the beginning of the next day. */
  private static Temporal moment(String text, Function<String, Temporal> parser) {
    Matcher end = END_OF_DAY.matcher(text);
    return end.find() ? parser.apply(startOfDay(end)).plus(1, ChronoUnit.DAYS) : parser.apply(text);
  }

  /** A time of day, of which 24:00 is 00:00 (XML Schema, 3.3.8). */
  private static String timeOfDay(String text) {
    Matcher end = END_OF_DAY.matcher(text);
    return end.find() ? startOfDay(end) : text;
  }

  private static String startOfDay(Matcher endOfDay) {
    return endOfDay.replaceFirst("${day}00${rest}");
  }

  /** Its own parser takes short forms, which print otherwise. */
  private static Object parseUuid(String text) {
    if (text.length() != 36) {
      throw new IllegalArgumentException("is no UUID");
    }
    return UUID.fromString(text);
  }

  private static Object parseLocale(String text) {
    try {
      return new Locale.Builder().setLanguageTag(text).build();
    } catch (IllformedLocaleException e) {
      throw new IllegalArgumentException("is no language tag", e);
    }
  }
}

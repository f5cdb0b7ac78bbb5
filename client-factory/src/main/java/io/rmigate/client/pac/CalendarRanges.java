package io.rmigate.client.pac;

import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@code weekdayRange}, {@code dateRange} and {@code timeRange}. All ranges include both their ends
 * and may pass the end of a week, a year or a day; {@code "GMT"} behind the arguments asks for
 * universal time. Empty results are arguments that are not understood.
 */
final class CalendarRanges {
  private static final List<String> DAYS = List.of("MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN");
  private static final List<String> MONTHS =
      List.of("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC");

  private CalendarRanges() {}

  private static boolean isGmt(List<Object> arguments) {
    return !arguments.isEmpty() && "GMT".equals(arguments.get(arguments.size() - 1));
  }

  private static ZonedDateTime time(ZonedDateTime now, List<Object> arguments) {
    return isGmt(arguments) ? now.withZoneSameInstant(ZoneOffset.UTC) : now;
  }

  private static List<Object> bare(List<Object> arguments) {
    return isGmt(arguments) ? arguments.subList(0, arguments.size() - 1) : arguments;
  }

  private static boolean isWithin(long value, long first, long last) {
    return first <= last ? first <= value && value <= last : value >= first || value <= last;
  }

  static Optional<Boolean> isWeekday(ZonedDateTime now, List<Object> arguments) {
    List<Integer> days = bare(arguments).stream().map(day -> DAYS.indexOf(day)).toList();
    if (days.isEmpty() || days.size() > 2 || days.contains(-1)) {
      return Optional.empty();
    }
    int today = time(now, arguments).getDayOfWeek().getValue() - 1;
    return Optional.of(isWithin(today, days.get(0), days.get(days.size() - 1)));
  }

  /** One of the three things a date consists of; the order is that of weight. */
  private enum Part {
    DAY,
    MONTH,
    YEAR
  }

  private record Value(Part part, int number) {
    static Optional<Value> of(Object argument) {
      if (argument instanceof String text && MONTHS.contains(text)) {
        return Optional.of(new Value(Part.MONTH, MONTHS.indexOf(text) + 1));
      }
      double number = argument instanceof Double d ? d : -1;
      if (number >= 1 && number <= 9999) {
        return Optional.of(new Value(number <= 31 ? Part.DAY : Part.YEAR, (int) number));
      }
      return Optional.empty();
    }

    /** Comparable with others of the same parts. */
    int weight() {
      return number * (part == Part.DAY ? 1 : part == Part.MONTH ? 100 : 10_000);
    }
  }

  static Optional<Boolean> isDate(ZonedDateTime now, List<Object> arguments) {
    List<Value> values = new ArrayList<>();
    for (Object argument : bare(arguments)) {
      Optional<Value> value = Value.of(argument);
      if (value.isEmpty()) {
        return Optional.empty();
      }
      values.add(value.get());
    }
    int half = values.size() / 2;
    boolean twoDates =
        values.size() % 2 == 0
            && half > 0
            && parts(values.subList(0, half)).equals(parts(values.subList(half, values.size())));
    List<Value> first = twoDates ? values.subList(0, half) : values;
    List<Value> last = twoDates ? values.subList(half, values.size()) : values;
    List<Part> parts = parts(first);
    if (parts.isEmpty() || parts.stream().distinct().count() < parts.size()) {
      return Optional.empty();
    }
    ZonedDateTime time = time(now, arguments);
    List<Value> today =
        parts.stream()
            .map(
                part ->
                    new Value(
                        part,
                        switch (part) {
                          case DAY -> time.getDayOfMonth();
                          case MONTH -> time.getMonthValue();
                          case YEAR -> time.getYear();
                        }))
            .toList();
    return Optional.of(isWithin(weight(today), weight(first), weight(last)));
  }

  private static List<Part> parts(List<Value> values) {
    return values.stream().map(Value::part).toList();
  }

  private static int weight(List<Value> values) {
    return values.stream().mapToInt(Value::weight).sum();
  }

  static Optional<Boolean> isTime(ZonedDateTime now, List<Object> arguments) {
    List<Object> bare = bare(arguments);
    List<Integer> numbers = new ArrayList<>();
    for (Object argument : bare) {
      double number = argument instanceof Double d ? d : -1;
      if (number < 0 || number > 59) {
        return Optional.empty();
      }
      numbers.add((int) number);
    }
    int seconds = time(now, arguments).toLocalTime().toSecondOfDay();
    return switch (numbers.size()) {
      case 1 -> Optional.of(seconds / 3600 == numbers.get(0));
      case 2, 4, 6 -> {
        int half = numbers.size() / 2;
        int first = second(numbers.subList(0, half), 0);
        int last = second(numbers.subList(half, numbers.size()), 59);
        yield Optional.of(isWithin(seconds, first, last));
      }
      default -> Optional.empty();
    };
  }

  /** The second of the day; a missing minute or second is {@code otherwise}. */
  private static int second(List<Integer> time, int otherwise) {
    int minute = time.size() > 1 ? time.get(1) : otherwise;
    return time.get(0) * 3600 + minute * 60 + (time.size() > 2 ? time.get(2) : otherwise);
  }
}

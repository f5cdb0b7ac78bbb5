package io.rmigate.gateway.config;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations and sizes as people write them. A bare number has no meaning and is refused. */
final class Units {
  private static final Pattern AMOUNT = Pattern.compile("(\\d{1,9}) ?([A-Za-z]{1,3})");
  private static final Map<String, Duration> TIME =
      Map.of(
          "ms", Duration.ofMillis(1),
          "s", Duration.ofSeconds(1),
          "m", Duration.ofMinutes(1),
          "h", Duration.ofHours(1),
          "d", Duration.ofDays(1));
  private static final Map<String, Long> SIZE =
      Map.of("B", 1L, "KiB", 1L << 10, "MiB", 1L << 20, "GiB", 1L << 30);

  private Units() {}

  /** A duration such as {@code 15s}; empty if it is not one. */
  static Optional<Duration> duration(String text) {
    Matcher amount = AMOUNT.matcher(text);
    if (!amount.matches() || !TIME.containsKey(amount.group(2))) {
      return Optional.empty();
    }
    return Optional.of(TIME.get(amount.group(2)).multipliedBy(Long.parseLong(amount.group(1))));
  }

  /** A size such as {@code 64KiB}, in bytes; empty if it is not one. */
  static OptionalLong bytes(String text) {
    Matcher amount = AMOUNT.matcher(text);
    if (!amount.matches() || !SIZE.containsKey(amount.group(2))) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(SIZE.get(amount.group(2)) * Long.parseLong(amount.group(1)));
  }

  /** The way {@link #duration} reads it. */
  static String text(Duration duration) {
    long millis = duration.toMillis();
    return millis % 1000 == 0 ? millis / 1000 + "s" : millis + "ms";
  }

  /** The way {@link #bytes} reads it. */
  static String text(long bytes) {
    if (bytes % (1 << 20) == 0) {
      return (bytes >> 20) + "MiB";
    }
    return bytes % 1024 == 0 ? bytes / 1024 + "KiB" : bytes + "B";
  }
}

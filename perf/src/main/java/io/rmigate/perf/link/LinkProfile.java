package io.rmigate.perf.link;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The properties of a link.
 *
 * @param up from the client
 * @param down to the client
 * @param bufferBytes in each direction, how much may wait to leave before the sender has to wait
 * @param source of the figures, as text
 */
public record LinkProfile(
    String name, LineShape up, LineShape down, int bufferBytes, String source) {
  /** Payload of a TCP segment on an Ethernet: what is cut off and sent as one packet. */
  public static final int PACKET_BYTES = 1_460;

  /** Ours: five packets. At 9.6 kbit/s that is 6.8 s, on a LAN less than a millisecond. */
  static final int BUFFER_BYTES = 8 * 1024;

  private static final String GSM_DELAY =
      "round trip \"> 500 ms\": Campadello et al. 2000; 260 ms each way is the least that agrees";
  private static final String HSCSD_DELAY =
      "delay as GSM: the trial's lookups took as long as over one slot (Campadello et al. 2000)";

  /** The profiles that have a name, in order of their rate. */
  public static final List<LinkProfile> NAMED =
      List.of(
          named("gsm", 9_600, 9_600, 260, "GSM data 9.6 kbit/s; " + GSM_DELAY),
          named("hscsd28", 28_800, 28_800, 260, "HSCSD 2+2 slots of 14.4 kbit/s; " + HSCSD_DELAY),
          named(
              "hscsd43",
              14_400,
              43_200,
              260,
              "HSCSD 3+1 slots of 14.4 kbit/s, three of them down; " + HSCSD_DELAY),
          named(
              "gprs",
              20_000,
              40_000,
              350,
              "RFC 3481 2.1, 2.2: 10-20 kbit/s up, 10-40 down, round trips of some hundred ms to"
                  + " 1 s; 700 ms is our choice among them"),
          named(
              "3g",
              64_000,
              384_000,
              100,
              "first W-CDMA networks: 64 kbit/s up, 384 down (RFC 3481 2.2), round trip 200 ms"
                  + " (RFC 2757 1)"),
          named(
              "satellite",
              256_000,
              1_000_000,
              279,
              "geostationary: 279 ms for one hop between stations at the edge (RFC 2488 2); rates"
                  + " of a small terminal, our choice"),
          named(
              "lan",
              100_000_000,
              100_000_000,
              0.1,
              "100 Mbit/s, the network of Juric et al. 2004; 0.1 ms each way is our choice"));

  public LinkProfile {
    if (bufferBytes < PACKET_BYTES) {
      throw new IllegalArgumentException(
          "expected a buffer of at least a packet's "
              + PACKET_BYTES
              + " bytes, got "
              + bufferBytes);
    }
  }

  private static LinkProfile named(
      String name, long up, long down, double delayMillis, String source) {
    Duration delay = Duration.ofNanos(Math.round(delayMillis * 1e6));
    return new LinkProfile(
        name, new LineShape(up, delay), new LineShape(down, delay), BUFFER_BYTES, source);
  }

  /**
   * A profile by its name, or by its figures: {@code rate=9600,delay=260ms,buffer=8192}; {@code
   * up=…} and {@code down=…} instead of {@code rate} for different rates, {@code delay-up=…} and
   * {@code delay-down=…} instead of {@code delay}. Rates in bit/s, with {@code k} or {@code M};
   * delays with {@code ms} or {@code s}.
   *
   * @throws IllegalArgumentException says what is wrong
   */
  public static LinkProfile parse(String text) {
    return text.contains("=")
        ? ofFigures(text)
        : NAMED.stream()
            .filter(profile -> profile.name.equals(text.toLowerCase(Locale.ROOT)))
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "no link profile \"" + text + "\"; there are " + names()));
  }

  private static String names() {
    return NAMED.stream().map(LinkProfile::name).collect(Collectors.joining(", "))
        + ", or rate=…,delay=…";
  }

  private static LinkProfile ofFigures(String text) {
    Map<String, String> figures = new LinkedHashMap<>();
    for (String figure : text.split(",", -1)) {
      int equals = figure.indexOf('=');
      if (equals < 1
          || figures.put(figure.substring(0, equals), figure.substring(equals + 1)) != null) {
        throw new IllegalArgumentException("expected name=value, each name once, got " + figure);
      }
    }
    String rate = figures.remove("rate");
    String up = figures.getOrDefault("up", rate);
    String down = figures.getOrDefault("down", rate);
    if (up == null || down == null) {
      throw new IllegalArgumentException("a link needs rate=, or up= and down=");
    }
    String delay = figures.getOrDefault("delay", "0ms");
    LinkProfile profile =
        new LinkProfile(
            text,
            new LineShape(rate(up), delay(figures.getOrDefault("delay-up", delay))),
            new LineShape(rate(down), delay(figures.getOrDefault("delay-down", delay))),
            Integer.parseInt(figures.getOrDefault("buffer", Integer.toString(BUFFER_BYTES))),
            "as given");
    figures.keySet().removeAll(List.of("up", "down", "delay", "delay-up", "delay-down", "buffer"));
    if (!figures.isEmpty()) {
      throw new IllegalArgumentException("a link has no " + String.join(", ", figures.keySet()));
    }
    return profile;
  }

  private static long rate(String text) {
    long unit = text.endsWith("k") ? 1_000 : text.endsWith("M") ? 1_000_000 : 1;
    return Math.round(number(unit == 1 ? text : text.substring(0, text.length() - 1)) * unit);
  }

  private static Duration delay(String text) {
    if (text.endsWith("ms")) {
      return Duration.ofNanos(Math.round(number(text.substring(0, text.length() - 2)) * 1e6));
    }
    if (text.endsWith("s")) {
      return Duration.ofNanos(Math.round(number(text.substring(0, text.length() - 1)) * 1e9));
    }
    throw new IllegalArgumentException("expected a delay such as 260ms or 1.5s, got " + text);
  }

  private static double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("expected a number, got \"" + text + "\"", e);
    }
  }

  /** The time of an empty packet there and back. */
  public Duration roundTrip() {
    return up.delay().plus(down.delay());
  }

  LineShape shape(Direction direction) {
    return direction == Direction.UP ? up : down;
  }

  /** One line for people. */
  public String describe() {
    return String.format(
        Locale.ROOT,
        "%s: %s up, %s down, round trip %s",
        name,
        rate(up.bitsPerSecond()),
        rate(down.bitsPerSecond()),
        millis(roundTrip()));
  }

  private static String rate(long bitsPerSecond) {
    String kilobits = String.format(Locale.ROOT, "%.1f", bitsPerSecond / 1e3);
    return (kilobits.endsWith(".0") ? kilobits.substring(0, kilobits.length() - 2) : kilobits)
        + " kbit/s";
  }

  private static String millis(Duration duration) {
    double millis = duration.toNanos() / 1e6;
    return String.format(Locale.ROOT, millis < 10 ? "%.1f ms" : "%.0f ms", millis);
  }
}

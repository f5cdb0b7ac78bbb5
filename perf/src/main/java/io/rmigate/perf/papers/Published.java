package io.rmigate.perf.papers;

import java.util.Map;
import java.util.OptionalDouble;

/**
 * The authors' figures, seconds, on their hardware: only ratios carry over. Campadello, Helin,
 * Koskimies, Raatikainen: "Wireless Java RMI" and "Performance Enhancing Proxies for Java 2 RMI on
 * Slow Wireless Links", 2000.
 */
record Published(OptionalDouble plain, OptionalDouble uncompressed, OptionalDouble compressed) {
  private static final OptionalDouble UNKNOWN = OptionalDouble.empty();

  static final Published NOTHING = new Published(UNKNOWN, UNKNOWN, UNKNOWN);

  /**
   * The field trial's median time of a lookup, Linux, by our name of the link. For three slots down
   * and one up it has 9.6 kbit/s each, where our profile has 14.4.
   */
  private static final Map<String, Published> LOOKUPS =
      Map.of(
          "gsm", compressed(6.390, 1.136),
          "hscsd28", compressed(6.214, 1.068),
          "hscsd43", compressed(5.963, 0.980));

  static Published uncompressed(double plain, double uncompressed) {
    return new Published(OptionalDouble.of(plain), OptionalDouble.of(uncompressed), UNKNOWN);
  }

  static Published compressed(double plain, double compressed) {
    return new Published(OptionalDouble.of(plain), UNKNOWN, OptionalDouble.of(compressed));
  }

  static Published both(double plain, double uncompressed, double compressed) {
    return new Published(
        OptionalDouble.of(plain), OptionalDouble.of(uncompressed), OptionalDouble.of(compressed));
  }

  /** Figures of mediators only, without plain RMI. */
  static Published mediators(double compressed) {
    return new Published(UNKNOWN, UNKNOWN, OptionalDouble.of(compressed));
  }

  static Published lookup(String link) {
    return LOOKUPS.getOrDefault(link, NOTHING);
  }

  OptionalDouble of(Contestant contestant) {
    return switch (contestant) {
      case PLAIN -> plain;
      case UNCOMPRESSED -> uncompressed;
      case COMPRESSED -> compressed;
    };
  }

  /** The factor by which a contestant is faster than plain RMI. */
  OptionalDouble speedUp(Contestant contestant) {
    return plain.isPresent() && of(contestant).isPresent()
        ? OptionalDouble.of(plain.getAsDouble() / of(contestant).getAsDouble())
        : UNKNOWN;
  }
}

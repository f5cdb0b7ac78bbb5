package io.rmigate.perf.juric;

import io.rmigate.perf.ways.Way;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The authors' remote times, in milliseconds (Pentium 4, 100 Mbit/s). Only their ratios can be
 * compared with anything of today.
 */
record Published(Map<Way, Double> millis) {
  static final Published LOOKUP = new Published(times(0.600, 17.283, 23.352, 0.620));
  static final Published PRIMITIVE_GETTERS = new Published(times(0.251, 9.051, 7.117, 2.224));
  static final Published STRING_GETTER = new Published(times(0.261, 9.078, 7.138, 2.206));

  private static Map<Way, Double> times(double rmi, double port, double servlet, double soap) {
    return Map.of(Way.DIRECT, rmi, Way.CONNECT, port, Way.SERVLET, servlet, Way.SOAP, soap);
  }

  /** Over plain RMI; empty for what they did not have. */
  OptionalDouble factor(Way way) {
    return millis.containsKey(way)
        ? OptionalDouble.of(millis.get(way) / millis.get(Way.DIRECT))
        : OptionalDouble.empty();
  }
}

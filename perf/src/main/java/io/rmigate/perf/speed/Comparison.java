package io.rmigate.perf.speed;

import static io.rmigate.perf.speed.Contestant.BEFORE;
import static io.rmigate.perf.speed.Contestant.JSON;
import static io.rmigate.perf.speed.Contestant.METRO;
import static io.rmigate.perf.speed.Contestant.OFF;
import static io.rmigate.perf.speed.Contestant.PLAIN;
import static io.rmigate.perf.speed.Contestant.RELAY;
import static io.rmigate.perf.speed.Contestant.RMIGATE;
import static io.rmigate.perf.speed.Contestant.SOAP;

import java.util.List;

/**
 * The systems of a comparison, the ratios in its report, and rmigate's aims.
 *
 * @param label of the command's option
 * @param ratios one column each, behind the values of the numerator
 * @param profiled the system that {@code --profile} examines
 */
record Comparison(
    String label,
    List<Contestant> contestants,
    List<RatioColumn> ratios,
    List<Aim> aims,
    Contestant profiled) {

  /** A contestant's values over another's. */
  record RatioColumn(Contestant of, Contestant to) {
    String name() {
      return of.label() + "/" + to.label();
    }
  }

  /** RMI through the gateway, as Java clients see it. */
  static final Comparison TUNNEL =
      new Comparison(
          "tunnel",
          List.of(PLAIN, RELAY, RMIGATE),
          List.of(
              new RatioColumn(RELAY, PLAIN),
              new RatioColumn(RMIGATE, PLAIN),
              new RatioColumn(RMIGATE, RELAY)),
          List.of(
              Aim.atMost("getters p50", "t1.getters.p50", RMIGATE, 1.5, PLAIN),
              Aim.atMost("getters p50", "t1.getters.p50", RMIGATE, 1.1, RELAY),
              Aim.atLeast("8 threads, calls/s", "t8.rate", RMIGATE, 0.6, PLAIN),
              Aim.atLeast("64 threads, calls/s", "t64.rate", RMIGATE, 0.6, PLAIN)),
          RMIGATE);

  /** The gateway with class rules in force, and one without. */
  static final Comparison CLASS_RULES =
      new Comparison(
          "class rules",
          List.of(PLAIN, OFF, RMIGATE),
          List.of(
              new RatioColumn(OFF, PLAIN),
              new RatioColumn(RMIGATE, PLAIN),
              new RatioColumn(RMIGATE, OFF)),
          List.of(
              Aim.atMost("getters p50", "t1.getters.p50", RMIGATE, 1.1, OFF),
              Aim.atMost("ping p50", "t1.ping.p50", RMIGATE, 1.1, OFF),
              Aim.atLeast("8 threads, calls/s", "t8.rate", RMIGATE, 0.9, OFF),
              Aim.atLeast("64 threads, calls/s", "t64.rate", RMIGATE, 0.9, OFF)),
          RMIGATE);

  /** The gateway and the agent of an earlier commit, beside those of the working tree. */
  static final Comparison BUILDS =
      new Comparison(
          "builds",
          List.of(PLAIN, BEFORE, RMIGATE),
          List.of(
              new RatioColumn(BEFORE, PLAIN),
              new RatioColumn(RMIGATE, PLAIN),
              new RatioColumn(RMIGATE, BEFORE)),
          List.of(),
          RMIGATE);

  /**
   * Counts of a call, which a busy machine hardly changes; {@link CountBounds} has their bounds.
   */
  static final Comparison COUNTS =
      new Comparison(
          "counts",
          List.of(PLAIN, RMIGATE),
          List.of(new RatioColumn(RMIGATE, PLAIN)),
          List.of(),
          RMIGATE);

  /** The web-service front, beside the tunnel and beside SOAP without RMI. */
  static final Comparison SERVICES =
      new Comparison(
          "services",
          List.of(PLAIN, RMIGATE, JSON, METRO, SOAP),
          List.of(
              new RatioColumn(RMIGATE, PLAIN),
              new RatioColumn(JSON, PLAIN),
              new RatioColumn(METRO, PLAIN),
              new RatioColumn(SOAP, PLAIN),
              new RatioColumn(SOAP, METRO),
              new RatioColumn(JSON, SOAP)),
          List.of(
              Aim.atMost("getters p50", "t1.getters.p50", SOAP, 1.15, METRO, PLAIN),
              Aim.atMost("getters p50", "t1.getters.p50", JSON, 2.2, PLAIN),
              Aim.atLeast("8 threads, calls/s", "t8.rate", SOAP, 0.8, METRO),
              Aim.atLeast("8 threads, calls/s", "t8.rate", JSON, 2, SOAP)),
          SOAP);
}

package io.rmigate.perf.gatling;

/**
 * The results of one kind of request at one level.
 *
 * @param level the group in Gatling's report
 * @param perSecond successes, from the first beginning to the last end, or in the level's time if
 *     that is longer
 * @param times of the requests that succeeded
 */
public record Outcome(
    String level,
    String request,
    long succeeded,
    long failed,
    double perSecond,
    Times times,
    Failures failures) {

  /** Times of requests in microseconds; 0 if there are none. */
  public record Times(double mean, double p50, double p95, double p99, double max) {}

  /**
   * The failed requests.
   *
   * @param longestMicros time of the longest failure
   * @param first the first failure's exception as text; empty without one
   */
  public record Failures(double longestMicros, String first) {}
}

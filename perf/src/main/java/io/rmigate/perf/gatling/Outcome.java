package io.rmigate.perf.gatling;

/**
 * What became of one kind of request at one level; times in microseconds, of those that succeeded
 * unless it says otherwise, and 0 where none has.
 *
 * @param level the group in Gatling's report
 * @param perSecond successes, from the first beginning to the last end, or in the level's time if
 *     that is longer
 * @param longestFailureMicros how long a failure took at most
 * @param firstFailure as an exception prints itself; empty where there was none
 */
public record Outcome(
    String level,
    String request,
    long succeeded,
    long failed,
    double meanMicros,
    double p50Micros,
    double p95Micros,
    double p99Micros,
    double maxMicros,
    double perSecond,
    double longestFailureMicros,
    String firstFailure) {}

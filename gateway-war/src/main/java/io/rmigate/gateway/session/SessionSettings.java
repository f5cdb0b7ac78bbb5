package io.rmigate.gateway.session;

import java.time.Duration;

/**
 * What a tunnel session may use and how long it may be silent.
 *
 * @param heartbeat the agent sends a heartbeat when it has sent nothing for so long; after three of
 *     them without a byte the session ends
 * @param helloTimeout how long a fresh transport connection may take to say hello
 * @param sendTimeout how long the link may refuse to take a byte before it counts as lost
 * @param grace how long a session outlives the loss of its link; zero for not at all
 * @param choresPerSecond what the links of one caller may ask for besides calls that pass; those of
 *     who asks for more are read more slowly
 */
public record SessionSettings(
    Duration heartbeat,
    Duration helloTimeout,
    Limits limits,
    Duration sendTimeout,
    Duration grace,
    int choresPerSecond) {

  /**
   * How much there may be at a time.
   *
   * @param streamCredit bytes per stream and direction that may be on their way unconsumed
   * @param maxStreams streams of a session
   * @param maxSessionsPerPrincipal sessions of one principal
   * @param maxSessions sessions in all
   */
  public record Limits(
      int streamCredit, int maxStreams, int maxSessionsPerPrincipal, int maxSessions) {}

  /** The shipped defaults. */
  public static final SessionSettings DEFAULTS =
      new SessionSettings(
          Duration.ofSeconds(15),
          Duration.ofSeconds(10),
          new Limits(256 * 1024, 1024, 10_000, 20_000),
          Duration.ofSeconds(60),
          Duration.ofMinutes(2),
          20_000);

  /**
   * Whether an agent that hears nothing notices that, after three heartbeats, before the gateway
   * may have given its session up; or is not to.
   */
  public boolean outlivesSilence() {
    return grace.isZero() || grace.compareTo(heartbeat.multipliedBy(3)) >= 0;
  }

  /** These settings with another grace. */
  public SessionSettings withGrace(Duration other) {
    return new SessionSettings(
        heartbeat, helloTimeout, limits, sendTimeout, other, choresPerSecond);
  }
}

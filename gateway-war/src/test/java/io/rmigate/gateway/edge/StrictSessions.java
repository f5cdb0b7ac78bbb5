package io.rmigate.gateway.edge;

import io.rmigate.gateway.relay.Relay;
import io.rmigate.gateway.route.TargetPolicy;
import io.rmigate.gateway.session.PlainSessions;
import io.rmigate.gateway.session.SessionRegistry;
import io.rmigate.gateway.session.SessionSettings;
import java.time.Duration;
import java.util.List;

/** Sessions for tests of what stands before them: few, small ones, that reach nothing. */
public final class StrictSessions {

  /**
   * They end with their links.
   *
   * @param helloTimeout how long they may take to say hello
   */
  public static SessionRegistry over(Relay relay, Duration helloTimeout) {
    return PlainSessions.over(
        relay,
        new SessionSettings(
            Duration.ofSeconds(15),
            helloTimeout,
            new SessionSettings.Limits(1024, 1, 10, 10),
            Duration.ofSeconds(60),
            Duration.ZERO,
            SessionSettings.DEFAULTS.choresPerSecond()),
        new TargetPolicy(List.of()));
  }

  private StrictSessions() {}
}

package io.rmigate.gateway.edge;

import io.rmigate.gateway.lease.Leases;
import io.rmigate.gateway.relay.Relay;
import io.rmigate.gateway.route.TargetPolicy;
import io.rmigate.gateway.session.CompressionPolicy;
import io.rmigate.gateway.session.SessionRegistry;
import io.rmigate.gateway.session.SessionSettings;
import io.rmigate.gateway.view.SessionMeters;
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
    return new SessionRegistry(
        new SessionSettings(
            Duration.ofSeconds(15),
            helloTimeout,
            1024,
            1,
            10,
            10,
            Duration.ofSeconds(60),
            Duration.ZERO),
        relay,
        Leases.off(),
        () -> new TargetPolicy(List.of()),
        () -> CompressionPolicy.DEFAULT,
        SessionMeters.NONE);
  }

  private StrictSessions() {}
}

package io.rmigate.client.mediator;

import io.rmigate.client.jvm.Daemons;
import io.rmigate.client.jvm.NoThreadException;
import io.rmigate.client.link.Link;
import io.rmigate.client.transport.Transport;
import io.rmigate.client.transport.TransportConnector;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Moves a session from a lower rung of the ladder to the best one, once that works. An attempt uses
 * a connection of its own, beside that of the session. One attempt at a time; thread-safe.
 */
final class WayUpgrade extends IntervalTask {
  private final AgentLink agentLink;
  private final Duration connectTimeout;
  private final AtomicBoolean underWay = new AtomicBoolean();

  /**
   * @param connectTimeout for an attempt
   */
  WayUpgrade(AgentLink agentLink, Duration connectTimeout) {
    this.agentLink = agentLink;
    this.connectTimeout = connectTimeout;
  }

  /** Begins an attempt if it is time for one. */
  @Override
  void runOnce() {
    Optional<Link> current = agentLink.current();
    if (current.isPresent()) {
      upgrade(current.get());
    }
  }

  private void upgrade(Link link) {
    TransportConnector gateway = link.gateway();
    Optional<Transport> connection = link.connection();
    if (gateway == null
        || connection.isEmpty()
        || underWay.get()
        || link.graceAtGateway().isZero()
        || !gateway.mayClimbFrom(connection.get())) {
      return;
    }
    if (underWay.compareAndSet(false, true)) {
      try {
        Daemons.start("rmigate-upgrade", () -> attempt(link, gateway));
      } catch (NoThreadException none) {
        underWay.set(false); // another time
      }
    }
  }

  private void attempt(Link link, TransportConnector gateway) {
    try {
      Transport better = gateway.climb(connectTimeout);
      if (link.moveTo(better)) {
        log().log(System.Logger.Level.INFO, "the link goes on over a better way: {0}", better);
      }
    } catch (IOException notYet) {
      log().log(System.Logger.Level.DEBUG, () -> "no better way yet: " + notYet.getMessage());
    } finally {
      underWay.set(false);
    }
  }

  /** No constant, see {@link MediatorAgent}. */
  private static System.Logger log() {
    return System.getLogger(WayUpgrade.class.getName());
  }
}

package io.rmigate.gateway.route;

import io.rmigate.gateway.relay.address.Target;
import java.time.Duration;
import java.util.Optional;

/** Where what an agent sends to an endpoint goes. */
public sealed interface Route {

  /**
   * To a place inside.
   *
   * @param policy by which it was found, and by which everything else is judged that goes this way:
   *     a reload may put another one in force at any moment
   * @param host the endpoint's own, or the one it is mapped to
   * @param permission what may be done there
   * @param substitute see {@link Target#substitute}
   * @param lasting for every object at the endpoint, as long as neither policy nor what the session
   *     has learnt changes
   */
  record Permitted(
      TargetPolicy policy,
      String host,
      int port,
      TargetPolicy.Permission permission,
      Optional<Target.Substitute> substitute,
      boolean lasting)
      implements Route {

    /** The place, and how long connecting to it may take. */
    public Target target(Duration connectTimeout, Duration handshakeTimeout) {
      return new Target(
          host, port, permission.addresses(), connectTimeout, handshakeTimeout, substitute);
    }
  }

  /** Policy names no such target, and no registry has. */
  record NotPermitted() implements Route {}

  /**
   * Several servers say that they are there, and which one has this object is not known.
   *
   * @param places for the log
   */
  record Ambiguous(String places) implements Route {}
}

package io.rmigate.gateway.lease;

import io.rmigate.gateway.policy.Refusal;
import io.rmigate.gateway.relay.address.Target;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import java.util.Optional;

/** Where the endpoints are that a session's stubs name, as far as it may reach them. */
@FunctionalInterface
public interface LeaseRoutes {

  /**
   * Where calls for an endpoint go. Asked under a lock; does not block.
   *
   * @param object the one it is about, should several servers call themselves by this endpoint
   * @return empty if it is not permitted, or if it is unknown which server is meant
   */
  Optional<Target> target(EndpointId endpoint, Optional<ObjIdentifier> object);

  /**
   * Whether calls may still go to where objects of an endpoint were found before, wherever others
   * are found now. Asked under a lock; does not block.
   */
  default boolean mayBeAt(EndpointId endpoint, Target target) {
    return false;
  }

  /**
   * A lease is taken for the session, perhaps not for the first time. Told under a lock; does not
   * block.
   */
  default void onHeld(EndpointId endpoint, ObjIdentifier object) {}

  /** The object is not held any more. Called only while the session lasts, under a lock. */
  default void onDropped(EndpointId endpoint, ObjIdentifier object) {}

  /**
   * Objects at an endpoint are not held. Called once for each endpoint, for a bounded number of
   * them; under a lock.
   *
   * @param rule by which that is counted
   * @return whether the log has been told
   */
  default boolean onRefused(EndpointId endpoint, String rule, Refusal refusal) {
    return false;
  }

  /** Whether an endpoint is permitted, and which of several servers is meant depends on objects. */
  default boolean isAmbiguous(EndpointId endpoint) {
    return false;
  }
}

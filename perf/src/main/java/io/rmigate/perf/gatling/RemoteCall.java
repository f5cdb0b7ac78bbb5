package io.rmigate.perf.gatling;

import io.gatling.core.session.Session;

/** A call that blocks until the server has answered. */
@FunctionalInterface
interface RemoteCall {
  /**
   * Makes it.
   *
   * @return the user's state afterwards
   */
  Session make(Session session) throws Exception;
}

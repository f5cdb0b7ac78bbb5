package io.rmigate.perf.gatling;

import io.gatling.core.session.Session;

/** Something that blocks until somebody far away has answered. */
@FunctionalInterface
interface RemoteCall {
  /**
   * Makes it.
   *
   * @return the user's state afterwards
   */
  Session make(Session session) throws Exception;
}

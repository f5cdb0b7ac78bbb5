package io.rmigate.gateway.stream;

import io.rmigate.gateway.lease.CollectorCalls;
import io.rmigate.gateway.limit.ProxyClasses;
import io.rmigate.gateway.limit.WorkLimiter;
import io.rmigate.gateway.quota.Share;
import io.rmigate.gateway.route.FormerSessions;

/**
 * What is counted for all sessions of one caller together.
 *
 * @param collectorCalls what the caller's JVMs hold by calls of their own
 * @param chores what is asked for besides calls that pass
 * @param former what its sessions held that have ended
 * @param proxies classes that servers have made of its proxies
 */
public record CallerShare(
    Room room,
    CollectorCalls collectorCalls,
    WorkLimiter chores,
    FormerSessions former,
    ProxyClasses proxies) {

  /**
   * The room of one caller.
   *
   * @param heldBytes what is held of calls and replies, to be looked into
   * @param claimed by the long arrays and strings of its calls that are under way
   * @param streams that are open
   * @param given what its sessions were given
   */
  public record Room(Share heldBytes, Share claimed, Share streams, Share given) {}

  /** How much room it takes to remember this, where an object that is held takes 1. */
  public int weight() {
    return collectorCalls.weight() + former.weight();
  }
}

package io.rmigate.gateway.view;

import java.util.Optional;

/**
 * Control of sessions, leases and lockouts by an administrator. Thread-safe; nothing blocks for the
 * network.
 */
public interface GatewayControl {

  /**
   * Ends a session with what it holds and its calls in flight. Its agent may begin another one, as
   * far as its login holds.
   *
   * @param id its public identifier
   * @return whose it was; empty when there is none
   */
  Optional<String> endSession(String id);

  /**
   * Releases what is held for a session: servers are told that it is let go. The session goes on.
   *
   * @param session its public identifier; it may have ended
   * @param endpoint host:port as its stubs name it; empty: all
   * @return whether anything was held there
   */
  boolean endLeases(String session, Optional<String> endpoint);

  /**
   * Ends a lockout.
   *
   * @param id as the list of lockouts has it
   * @return whose it was; empty when there is none
   */
  Optional<String> endLockout(String id);
}

package io.rmigate.gateway.bridge;

import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.RefusalLine;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.soap.publish.Publication;
import java.io.Closeable;
import java.time.Duration;

/**
 * Calls of plain RMI servers that the gateway makes by itself, for clients that speak no RMI: over
 * connections, with leases and under the policy of the gateway, and with none of the JDK's stubs.
 * Thread-safe.
 */
public interface BridgeCalls extends Closeable {

  /**
   * Begins what one principal does with one publication, such as one HTTP request. Nothing is
   * called yet.
   *
   * @param publication in whose loader answers are unmarshalled; must stay open as long as the
   *     visit
   * @param within the longest each call may take, from its beginning to the end of its answer, the
   *     lookup of its target and all waiting included
   */
  BridgeVisit visit(Publication publication, Principal principal, Duration within);

  /**
   * Begins a call of one principal, if it is not too much.
   *
   * @param peer {@code address:port} of its connection, by which those are told apart who have not
   *     logged in
   * @param registry that names the object
   */
  CallShare share(Principal principal, String peer, EndpointId registry);

  /**
   * Whether a principal is locked out.
   *
   * @param peer address of the client
   */
  boolean isLockedOut(Principal principal, String peer);

  /**
   * A principal has been refused something that does not exist for it: many such tries lock the
   * principal out, in sessions, too.
   *
   * @param peer address of the client
   * @param what short, and the same for the same thing
   */
  void onRefused(Principal principal, String peer, String what);

  /**
   * Writes the line of a refusal, as far as that principal may have lines written.
   *
   * @param peer address of the client
   */
  default void warnRefused(Principal principal, String peer, RefusalLine line) {}

  /**
   * Ends all calls, and releases all references, as far as their servers answer soon. Blocks for
   * two seconds at the longest. Nothing can be called afterwards: {@link
   * io.rmigate.soap.call.CallFailure.Kind#UNREACHABLE}.
   */
  @Override
  void close();
}

package io.rmigate.gateway.stream;

import io.rmigate.gateway.view.GatewayView;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.tunnel.Deadline;
import io.rmigate.protocol.tunnel.Sequence;
import java.util.Optional;

/**
 * A stream as its session sees it, of either kind. Frames come one at a time from the edge;
 * everything else from any thread.
 */
public interface SessionStream {

  /** Bytes of the agent; {@code last} when they end a request. */
  void onData(byte[] bytes, boolean last) throws ProtocolViolationException;

  /** The agent tells how long its caller waits for the next request. */
  void onDeadline(Deadline told) throws ProtocolViolationException;

  /**
   * The stream takes part in a sequence.
   *
   * @throws ProtocolViolationException it carries no calls, has carried some, or takes part already
   */
  void onSequence(Sequence told) throws ProtocolViolationException;

  /** The agent grants credit. */
  void onCredit(int moreBytes) throws ProtocolViolationException;

  /** The agent has closed its side; afterwards the stream is over. */
  void onClose();

  /** The session has ended: nothing more can be sent. */
  void end();

  /** The session's login has expired, so that no new request may begin. */
  void onLoginExpired();

  /** Looks at the clock, twice a second. */
  default void tick(long now) {}

  /** Whether a call may be waiting for its answer. */
  boolean callInFlight();

  /**
   * The Call that waits for its Return; empty when none does.
   *
   * @param now on the clock of sessions
   */
  Optional<GatewayView.CallView> callView(long now);

  /** The view for administrators. */
  GatewayView.StreamView view();
}

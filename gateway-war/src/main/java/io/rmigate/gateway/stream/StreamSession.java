package io.rmigate.gateway.stream;

import io.rmigate.gateway.lease.CollectorCalls;
import io.rmigate.gateway.limit.Caller;
import io.rmigate.gateway.route.SessionKnowledge;
import io.rmigate.gateway.view.SessionMeters;
import java.time.Duration;
import java.util.concurrent.Future;

/**
 * All that the parts of a stream know of their session. A part that needs less gets less: a value,
 * or one of these.
 *
 * <p>From any thread; callers hold locks of streams.
 */
public interface StreamSession {

  /** The principal of the session, and the policy in force. */
  SessionStanding standing();

  /** Where frames to the agent go. */
  AgentLink agent();

  /** The references that the session has seen. */
  SessionKnowledge knowledge();

  SessionAudit audit();

  /** Lines, texts and counts of refusals, and the lockout. */
  SessionRefusals refusals();

  /** Connections to the servers. */
  SessionTargets targets();

  SessionMeters meters();

  /** Room and shares of the caller, for all its sessions together. */
  CallerShare share();

  /**
   * The leases that JVMs of the caller take by calls of their own. The share of the {@link Caller}
   * is remembered for a while from each such call on.
   */
  CollectorCalls collectorCalls();

  StreamSettings settings();

  /** The sequences that streams of the session take part in. */
  CallSequences sequences();

  /** Runs a task on the timer of the sessions, later. */
  Future<?> alarm(Runnable task, Duration delay);

  /** A call or a lookup has been let through. */
  void countCall();
}

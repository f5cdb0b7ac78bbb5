package io.rmigate.gateway.session;

import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Hello;
import io.rmigate.protocol.tunnel.SessionToken;
import io.rmigate.protocol.tunnel.Welcome;
import java.util.Optional;

/**
 * The state of a {@link TunnelSession}, with the values that exist in it only.
 *
 * <pre>
 *   {@link Greeting} ── HELLO for a new session ────► {@link Admitted} ── WELCOME ──► {@link Open} ──► {@link Ended}
 *         └─────── HELLO of an earlier session ─► {@link Resuming} ──► {@link PassedOn}
 * </pre>
 *
 * The thread of the edge makes each of these transitions. Any thread may end a session, in each
 * state but the last two.
 */
sealed interface SessionState {

  /** Whether no frame of this connection belongs to this session any more. */
  default boolean isOver() {
    return false;
  }

  /** The connection is there, and its agent has not sent HELLO. */
  record Greeting() implements SessionState {}

  /** HELLO names an earlier session, which is asked whether it continues over this connection. */
  record Resuming() implements SessionState {}

  /** Another session continues over this connection; this one only passes bytes on to it. */
  record PassedOn(TunnelSession session, SessionCarrier.Attachment over) implements SessionState {
    @Override
    public boolean isOver() {
      return true;
    }
  }

  /** The registry counts the session, and no WELCOME is queued. */
  record Admitted() implements SessionState {}

  /**
   * The agent may open streams.
   *
   * @param token names the session towards its agent; empty if the session ends with its first
   *     connection
   * @param frames what happens with each frame
   * @param jvmEnds whether the agent has said that its JVM ends
   */
  record Open(
      Hello hello,
      Optional<SessionToken> token,
      Welcome welcome,
      AgentFrames frames,
      boolean jvmEnds)
      implements SessionState {

    boolean isResumable() {
      return token.isPresent();
    }

    /** Whether the session waits for its agent once its connection is lost. */
    boolean outlivesConnection() {
      return isResumable() && !jvmEnds;
    }

    Open toJvmEnds() {
      return new Open(hello, token, welcome, frames, true);
    }
  }

  /** The session ends, or has ended; the first cause counts. */
  record Ended(CloseCause cause) implements SessionState {
    @Override
    public boolean isOver() {
      return true;
    }
  }
}

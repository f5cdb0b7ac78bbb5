package io.rmigate.gateway.view;

import io.rmigate.gateway.lookup.LookupMeters;
import io.rmigate.protocol.coding.CodingFigures;

/**
 * What sessions count. Called on hot paths and under locks: implementations must be thread-safe,
 * never block, never fail, and cost about as much as one addition.
 */
public interface SessionMeters extends LookupMeters {

  /** Counts nothing. */
  SessionMeters NONE = new SessionMeters() {};

  /** A session has been welcomed. */
  default void sessionOpened() {}

  /**
   * A session that had been welcomed has ended; {@code cause} is the name of a {@link
   * io.rmigate.protocol.tunnel.CloseCause}.
   */
  default void sessionClosed(String cause) {}

  /** A session goes on over another link than it had. */
  default void sessionResumed() {}

  /** A link is left unread for a while, since too many chores have come over it. */
  default void linkRested() {}

  /** A stream is open. */
  default void streamOpened() {}

  /** A stream is over. */
  default void streamClosed() {}

  /** A Call has been let through to a server. */
  default void call() {}

  /**
   * A Call that went over a connection of its own (SingleOp), on which nothing else is executed.
   */
  default void isolatedCall() {}

  /**
   * Something was refused by policy or as malformed.
   *
   * @param reason one of a few fixed words; never anything a client said
   */
  default void refused(String reason) {}

  /**
   * A server has completed a JRMP handshake. SingleOp connections have none.
   *
   * @param nanos since the connection was asked for, name look-up included
   */
  default void connected(long nanos) {}

  /**
   * No connection to a server could be had.
   *
   * @param reason the name of a {@link io.rmigate.protocol.tunnel.RefusalReason}
   */
  default void connectFailed(String reason) {}

  /**
   * A call has reached its deadline here.
   *
   * @param waitedFor {@code link}, {@code connect} or {@code answer}
   */
  default void callTimedOut(String waitedFor) {}

  /**
   * An agent has told what its JVM has done since it told last.
   *
   * @param more what has come on top
   */
  default void saved(Savings more) {}

  /**
   * What a session has learnt was sealed for its agent.
   *
   * @param objects that the grant is of; 0 for an endpoint
   */
  default void grantSealed(int objects) {}

  /** An agent has shown a grant, and it counts. */
  default void grantAccepted() {}

  /** Bytes of the link from an agent. */
  default void bytesFromAgent(int count) {}

  /** Bytes of the link to an agent, handed to the transport. */
  default void bytesToAgent(int count) {}

  /** More bytes have come coded. */
  default void codedFromAgent(CodingFigures more) {}

  /** More bytes have left coded. */
  default void codedToAgent(CodingFigures more) {}

  /** Bytes read from a server after its handshake. */
  default void bytesFromServer(int count) {}

  /** Bytes of requests handed to the operating system for a server. */
  default void bytesToServer(int count) {}

  /** A raw stream is connected to its target. */
  default void rawConnected() {}

  /** Bytes read from the target of a raw stream. */
  default void rawBytesFromServer(int count) {}

  /** Bytes of a raw stream handed to the operating system for its target. */
  default void rawBytesToServer(int count) {}
}
